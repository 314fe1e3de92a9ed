variable "env" {
  type = string

  validation {
    condition     = contains(["prod", "stage"], var.env)
    error_message = "One of prod and stage."
  }
}

module "db" {
  source = "./modules/db"
  name   = "orders"
  engine = var.env == "prod" ? "15.4" : "16.2"
  class  = var.env == "prod" ? "large" : "small"
  port   = var.env == "prod" ? 5432 : 5433
}
