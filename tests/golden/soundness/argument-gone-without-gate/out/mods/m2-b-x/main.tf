resource "terraform_data" "r8" {
  input = "b-x"
}
