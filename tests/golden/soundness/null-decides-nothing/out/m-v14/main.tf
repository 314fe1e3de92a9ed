resource "terraform_data" "db" {
  input = "14"
}
