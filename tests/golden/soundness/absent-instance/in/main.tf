variable "v1" {
  type = string
  validation {
    condition = contains(["a", "b"], var.v1)
    error_message = "Not valid."
  }
}
variable "v2" {
  type = string
  validation {
    condition = contains(["x", "y"], var.v2)
    error_message = "Not valid."
  }
}
module "c" {
  source = "./m"
  count = startswith(var.v2, "a") ? 1 : 0
  p = var.v1
}
module "d" {
  source = "./m"
  count = 0
  p = var.v1
}
module "e" {
  source = "./m"
  count = startswith(var.v2, "x") ? 1 : 0
  p = var.v1
}
resource "terraform_data" "c" {
  input = try(module.c[0].o, "none")
}
resource "terraform_data" "d" {
  input = try(module.d[0].o, "none")
}
resource "terraform_data" "e" {
  input = try(module.e[0].o, "none")
}
