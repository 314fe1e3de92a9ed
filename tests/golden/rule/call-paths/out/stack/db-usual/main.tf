resource "terraform_data" "db" {
  input = "usual"
}
