variable "env" {
  type    = string
  default = "dev"
}

variable "protect" {
  type    = bool
  default = false
}

module "app" {
  source  = "./modules/app"
  env     = var.env
  protect = var.protect
}
