variable "sizes" {
  type = map(string)
}

variable "limits" {
  type    = object({ least = optional(number) })
  default = {}
}

# Without sizes nobody looks at the limits, which may be null: a `for` looks at its clause before any element.
resource "terraform_data" "app" {
  for_each = var.sizes
  input    = var.limits.least >= 15 ? "large" : each.value == "b" ? "medium" : "small"
}
