variable "size" {
  type = number
}

variable "env" {
  type    = string
  default = "dev"
}

# The variable's own number is rounded where it reaches a driven field; what else is computed from it stays exact.
resource "terraform_data" "disk" {
  input            = var.env == "prod" ? var.size : 20
  triggers_replace = var.size > 50 ? "large" : "small"
}
