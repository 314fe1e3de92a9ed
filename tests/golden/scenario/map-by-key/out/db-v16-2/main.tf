resource "terraform_data" "db" {
  input = { version = "16.2" }
}
