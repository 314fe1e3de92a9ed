resource "terraform_data" "in_box" {
  input = "LARGE"
}
