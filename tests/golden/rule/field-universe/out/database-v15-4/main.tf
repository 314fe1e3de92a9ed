resource "terraform_data" "app" {
  input = "15.4"
}
