# The value is the same for every key, listed or not: nothing has to be kept out.
variable "zones" {
  type = list(string)
}

resource "terraform_data" "zone" {
  for_each = toset(var.zones)
  input    = upper("same")
}
