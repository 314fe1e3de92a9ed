variable "env" {
  type = string

  validation {
    condition     = contains(["prod", "dev"], var.env)
    error_message = "One of prod and dev."
  }
}

module "web" {
  source = "./modules/web"
  rules  = var.env == "prod" ? [{ port = 443 }, { port = 8443 }] : [{ port = 80 }, { port = 443 }, { port = 22 }]
}
