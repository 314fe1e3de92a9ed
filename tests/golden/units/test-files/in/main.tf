variable "env" { type = string }

module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9"
}

resource "terraform_data" "vm" {
  for_each = toset(["a", "b"])
  input    = var.env == "prod" ? "large" : "small"
}
