resource "terraform_data" "monitor" {
  triggers_replace = var.name
}
