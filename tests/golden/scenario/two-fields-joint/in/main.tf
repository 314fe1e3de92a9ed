variable "env" {
  type = string
}

variable "big" {
  type = bool
}

module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "16.2"
  class   = var.env == "prod" ? "db.r6" : (var.big ? "db.m6" : "db.t3")
}
