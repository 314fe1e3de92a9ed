resource "terraform_data" "side" {
  input = "right"
}
