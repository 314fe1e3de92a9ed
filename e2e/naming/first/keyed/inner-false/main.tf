resource "terraform_data" "deep" {
  input = false
}
