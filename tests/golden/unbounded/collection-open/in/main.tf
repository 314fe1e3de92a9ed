variable "zones" {
  type = list(string)
}

# What is written out equals no value of such a type: no `validation` with `contains` is suggested.
resource "terraform_data" "zones" {
  input = var.zones
}
