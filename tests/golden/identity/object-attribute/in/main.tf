variable "cfg" {
  type = object({
    env  = string
    flag = optional(bool)
  })
}

locals {
  cfg = merge(var.cfg, { extra = "x" })
}

resource "terraform_data" "db" {
  input = var.cfg.env == "prod" ? (var.cfg.flag == null ? "a" : "b") : "c"
}
