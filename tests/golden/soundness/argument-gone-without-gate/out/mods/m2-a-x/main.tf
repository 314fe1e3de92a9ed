resource "terraform_data" "r8" {
  input = "a-x"
}
