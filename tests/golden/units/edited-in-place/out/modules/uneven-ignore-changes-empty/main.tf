resource "terraform_data" "uneven" {
  lifecycle {
    ignore_changes = []
  }
}
