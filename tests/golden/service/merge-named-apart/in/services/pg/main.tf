variable "identifier" {
  type = string
}

variable "parameter_group" {
  type    = object({ parameter = optional(list(object({ name = string, value = string }))) })
  default = null
}

resource "terraform_data" "cluster" {
  input = { name = var.identifier, group = var.parameter_group }
}
