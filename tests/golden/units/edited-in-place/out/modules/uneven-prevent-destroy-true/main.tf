resource "terraform_data" "uneven" {
  lifecycle {
    prevent_destroy = true
  }
}
