variable "env" {
  type    = string
  default="dev"
  nullable=false
  validation {
    condition = contains(["dev", "prod", "test"], var.env)
    error_message = "x"
  }
}
resource "terraform_data" "a" {
  count = var.env == "prod" ? 2 : 1
  input = {
    v = { prod = "16.2", dev = "14.9" }[var.env]
  }
}
