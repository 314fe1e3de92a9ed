variable "default" {
  default = "a"
}
variable "typed" {
  type = number
}
variable "narrowed" {
  type = number
}
variable "set" {
  type = set(string)
}
variable "twice" {
  default = "a"
}
variable "from_json" {
  default = "native"
}
locals {
  native     = "a ${var.default}"
  twice      = ["a"]
  overridden = { now = "native" }
}
resource "terraform_data" "native" {
  input = { over = [local.native, 1] }
}
resource "terraform_data" "twice" {
  input = "a"
}
resource "terraform_data" "from_json_too" {
  input = jsonencode(local.overridden)
}
resource "terraform_data" "lifecycle" {
  lifecycle {
    create_before_destroy = false
  }
}
module "native" {
  source = "./m"
  y      = "a"
}
module "moved" {
  source = "./n"
}
output "native" {
  value = "a"
}
output "twice" {
  value = "a"
}
output "described" {
  description = "more"
}
