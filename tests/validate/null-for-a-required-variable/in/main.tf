variable "env" {
  type     = string
  nullable = false
}

variable "size" {
  type     = number
  default  = 1
  nullable = false
}

variable "zone" {
  type = string
}

# Only what has neither a default nor takes null stops Terraform.
resource "terraform_data" "a" {
  input = [var.env, var.size, var.zone]
}
