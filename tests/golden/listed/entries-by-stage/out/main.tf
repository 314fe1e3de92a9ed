variable "env" {
  type = string

  validation {
    condition     = contains(["prod", "dev"], var.env)
    error_message = "One of prod and dev."
  }
}

# phi: ingress.from_port (aws_security_group.web) — gate: Existing(var.env == "prod") — trace: modules/web/main.tf:5-16 — compiler: tf-phi golden
module "web_v443_v8443" {
  count  = var.env == "prod" ? 1 : 0
  source = "./modules/web-v443-v8443"
  rules  = var.env == "prod" ? [{ port = 443 }, { port = 8443 }] : [{ port = 80 }, { port = 443 }, { port = 22 }]
}

# phi: ingress.from_port (aws_security_group.web) — gate: Existing(var.env == "dev") — trace: modules/web/main.tf:5-16 — compiler: tf-phi golden
module "web_v80_v443_v22" {
  count  = var.env == "dev" ? 1 : 0
  source = "./modules/web-v80-v443-v22"
  rules  = var.env == "prod" ? [{ port = 443 }, { port = 8443 }] : [{ port = 80 }, { port = 443 }, { port = 22 }]
}
