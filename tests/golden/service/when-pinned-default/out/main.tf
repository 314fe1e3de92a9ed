variable "engine" {
  type    = string
  default = "postgres"

  # phi: the values that are specialised
  validation {
    condition     = var.engine == "postgres"
    error_message = "engine must be \"postgres\": only the default is specialised. List other values in phi.hcl."
  }
}

# phi: aws_db_instance.app — service: pg — form factor: on-prem
module "app" {
  source         = "./services/pg"
  engine_version = "15.4"
}
