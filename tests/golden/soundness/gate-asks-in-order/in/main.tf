variable "none" {
  type     = bool
  nullable = false
}

variable "zones" {
  type    = string
  default = null
}

# Where there is none, the list is not asked for: split(",", null) would be an error.
resource "terraform_data" "zones" {
  input = var.none ? "none" : length(split(",", var.zones)) > 1 ? "a-b" : "a"
}
