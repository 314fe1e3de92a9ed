resource "terraform_data" "db" {
  input = {
    release = "15.4"
  }

  lifecycle {
    prevent_destroy = false
  }
}
