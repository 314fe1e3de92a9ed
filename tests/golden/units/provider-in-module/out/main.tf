variable "env" {
  type = string
}

module "db" {
  source  = "./db-split"
  release = var.env == "prod" ? "15.4" : "16.2"
}
