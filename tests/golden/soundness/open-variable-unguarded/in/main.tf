variable "v1" {
  type = string
}
variable "v2" {
  type = string
  default = "prod"
}
variable "v3" {
  type = string
}
resource "terraform_data" "r4" {
  input = ((var.v1 == "b") ? var.v2 : var.v3)
  triggers_replace = "m0.r4"
}
