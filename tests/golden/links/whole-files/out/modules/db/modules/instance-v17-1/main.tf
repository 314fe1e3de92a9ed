resource "terraform_data" "this" {
  input = {
    name    = var.name
    version = "17.1"
  }
}
