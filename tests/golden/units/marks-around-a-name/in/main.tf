variable "env" { type = string }
module "m" {
  source = "./m"
  v      = var.env == "p" ? "a" : "b"
  b      = var.env == "p"
}
