variable "protect" { type = bool }

module "inner" {
  source  = "./inner"
  protect = var.protect
}
