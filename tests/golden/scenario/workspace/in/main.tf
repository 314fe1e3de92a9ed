resource "terraform_data" "db" {
  input = "pg-${terraform.workspace}"
}
