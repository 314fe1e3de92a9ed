variable "cfg" {
  type = object({ version = string, size = number })
}

variable "release" {
  type = string
}

data "external" "versions" {
  program = ["versions"]
}

resource "terraform_data" "attribute" {
  input = var.cfg.version
}

resource "terraform_data" "part" {
  input = "${var.release}-alpine"
}

resource "terraform_data" "data" {
  input = data.external.versions.result.postgres
}

resource "terraform_data" "element" {
  input = data.external.versions.names
}
