resource "terraform_data" "db" {
  input = "a"
}
