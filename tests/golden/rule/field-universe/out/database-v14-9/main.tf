resource "terraform_data" "app" {
  input = "14.9"
}
