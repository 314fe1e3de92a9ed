variable "s" {
  type = string
}

resource "terraform_data" "db" {
  input = var.s ? (var.s == "true" ? "exactly" : "converted") : "no"
}
