resource "terraform_data" "a" {
  input = "is false"
}
