resource "terraform_data" "db" {
  input = sensitive("15.4")
}
