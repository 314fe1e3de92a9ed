resource "terraform_data" "leaf" {
  input = "leaf y: y"
}
