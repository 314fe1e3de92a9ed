resource "terraform_data" "cluster" {
  input = "15.4"
}
