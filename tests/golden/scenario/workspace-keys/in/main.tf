locals {
  size = { default = "small", prod = "large" }
}
resource "terraform_data" "db" {
  input = local.size[terraform.workspace]
}
