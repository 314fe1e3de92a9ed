variable "env" {
  type = string
}

variable "protect" {
  type = bool
}

module "db" {
  source  = "../db"
  count   = var.env == "prod" ? 2 : 1
  protect = var.protect
  release = var.env == "prod" ? "15.4" : "14.9"
}
