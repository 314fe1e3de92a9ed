variable "x" {
  type = string
}

module "m" {
  source = "./m"
  cfg    = { v = var.x }
}

# Null is "d" in the module: never "a", and "c" is right for null as well.
resource "terraform_data" "x" {
  input = module.m.is_null ? (var.x == null ? "a" : "b") : "c"
}

resource "terraform_data" "y" {
  input = var.x == null && !module.m.is_null ? "filled" : "given"
}
