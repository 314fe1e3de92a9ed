resource "terraform_data" "db" {
  input = "plain"
}
