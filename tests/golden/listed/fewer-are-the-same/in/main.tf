variable "zones" {
  type = number

  validation {
    condition     = contains([1, 2, 3], var.zones)
    error_message = "Three zones at the most."
  }
}

locals {
  names = ["a", "b", "c"]
}

# However many there are, the first ones are the same.
resource "aws_subnet" "this" {
  count             = var.zones
  cidr_block        = cidrsubnet("10.0.0.0/16", 8, count.index)
  availability_zone = "eu-central-1${local.names[count.index]}"
}
