resource "terraform_data" "db" {
  input = { version = "15.4" }
}
