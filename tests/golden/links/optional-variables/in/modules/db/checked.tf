# What is checked stays, with the argument that is passed.
variable "port" {
  type    = number
  default = null

  validation {
    condition     = var.port != null
    error_message = "A port has to be given."
  }
}
