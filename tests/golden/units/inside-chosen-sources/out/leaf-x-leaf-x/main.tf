resource "terraform_data" "leaf" {
  input = "leaf x: x"
}
