# Values that are no primitives: a gate compares with a literal of the variable's own type.
variable "zones" {
  type = list(string)
}

variable "names" {
  type = set(string)
}

variable "sizes" {
  type = map(number)
}

variable "db" {
  type = object({ size = number, kind = optional(string), tags = optional(map(string), {}) })
}

variable "pair" {
  type = tuple([string, bool])
}

variable "any" {}

resource "terraform_data" "zones" {
  input = var.zones
}

resource "terraform_data" "names" {
  input = var.names
}

resource "terraform_data" "sizes" {
  input = var.sizes
}

resource "terraform_data" "db" {
  input = var.db
}

resource "terraform_data" "pair" {
  input = var.pair
}

resource "terraform_data" "any" {
  input = var.any
}

# Two of the values in one branch.
resource "terraform_data" "first" {
  input = try(var.zones[0], "none")
}
