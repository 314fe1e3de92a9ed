variable "env" { type = string }

module "net" {
  source = "../net"

  cidr    = "10.3.0.0/16"
  protect = var.env == "prod"
  pinned  = var.env == "dev" ? "15" : "16"
  drift   = var.env == "qa"
}
