variable "zones" {
  type = list(string)
}

variable "number" {
  type = number
}

# In no environment there is one zone and the second is asked for.
output "zone" {
  value = var.zones[var.number]
}
