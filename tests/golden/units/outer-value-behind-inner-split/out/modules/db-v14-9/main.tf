resource "terraform_data" "db" {
  input = {
    release = "14.9"
  }

  lifecycle {
    prevent_destroy = false
  }
}
