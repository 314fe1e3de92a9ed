variable "env" {
  type = string
}

variable "tier" {
  type = string
}

# The argument is an error wherever b is chosen, so that nobody reads it there.
module "db" {
  source = var.env == "prod" ? "./a" : "./b"
  v      = var.env == "prod" ? "15.4" : var.tier == "l" ? false : 1
}
