variable "sizes" {
  type = map(string)
}

variable "zones" {
  type = list(string)
}

# One copy per map that is listed; each has all the keys of it.
resource "terraform_data" "sized" {
  for_each = var.sizes

  input = each.value
}

resource "terraform_data" "zoned" {
  input = length(var.zones) == 0 ? "nowhere" : join("-", var.zones)
}
