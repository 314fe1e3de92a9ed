resource "terraform_data" "this" {
  input = {
    name    = var.name
    version = var.engine
  }
}
