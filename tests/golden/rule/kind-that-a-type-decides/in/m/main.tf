variable "zones" {
  type = list(string)
}

resource "terraform_data" "zones" {
  input = length(var.zones) == 0 ? "none" : "some"
}

output "zones" {
  value = terraform_data.zones.output
}
