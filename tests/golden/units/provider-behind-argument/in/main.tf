variable "env" {
  type = string
}

module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "16.2"
}
