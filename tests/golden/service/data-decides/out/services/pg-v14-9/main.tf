resource "terraform_data" "cluster" {
  input = "14.9"
}
