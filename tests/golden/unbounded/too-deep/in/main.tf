variable "engine" {
  type = string
  validation {
    condition     = contains(["15.4", "16.2"], var.engine)
    error_message = "15.4 or 16.2."
  }
}

module "a" {
  source = "./a"
  engine = var.engine
}
