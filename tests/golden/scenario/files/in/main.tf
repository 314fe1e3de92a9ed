variable "env" { type = string }

locals {
  settings = yamldecode(file("${path.module}/settings.yaml"))
}

resource "terraform_data" "db" {
  input = var.env == "prod" ? local.settings.version : templatefile("${path.module}/db.tftpl", { n = 14 })
}
