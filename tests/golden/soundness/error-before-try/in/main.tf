variable "env" {
  type = string
  validation {
    condition     = contains(["dev", "prod", "none"], var.env)
    error_message = "Not valid."
  }
}

module "c" {
  source = "./m"
  env    = var.env
}
