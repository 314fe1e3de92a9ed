resource "terraform_data" "side" {
  input = "left"
}
