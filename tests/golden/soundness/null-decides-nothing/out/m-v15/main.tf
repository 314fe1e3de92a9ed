resource "terraform_data" "db" {
  input = "15"
}
