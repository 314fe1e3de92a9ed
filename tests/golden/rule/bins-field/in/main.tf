variable "size" {
  type = number

  validation {
    condition     = var.size >= 20 && var.size <= 1000
    error_message = "size must be from 20 to 1000."
  }
}

module "disk" {
  source = "./disk"
  size   = var.size
}
