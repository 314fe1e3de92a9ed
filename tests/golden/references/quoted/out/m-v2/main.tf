resource "terraform_data" "x" {
  input = "2"
}
