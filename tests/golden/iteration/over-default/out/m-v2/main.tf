resource "terraform_data" "inner" {
  input = 2
}
