variable "frozen" {
  type    = bool
  default = false
}

variable "size" {
  type    = string
  default = "small"
}

resource "terraform_data" "app" {
  input            = var.size
  triggers_replace = [var.size]

  lifecycle {
    ignore_changes = var.frozen ? [input, triggers_replace[0]] : [] # frozen by the operator
  }
}

output "size" {
  value = terraform_data.app.output
}
