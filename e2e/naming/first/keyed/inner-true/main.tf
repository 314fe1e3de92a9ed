resource "terraform_data" "deep" {
  input = true
}
