resource "terraform_data" "db" {
  input = timestamp()
}
