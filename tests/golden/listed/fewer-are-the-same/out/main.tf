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
# phi: availability_zone (aws_subnet.this), cidr_block (aws_subnet.this) — gate: Existing(true) — trace: main.tf:15-19 — compiler: tf-phi golden
resource "aws_subnet" "this" {
  count             = var.zones
  cidr_block        = ["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24"][count.index]
  availability_zone = ["eu-central-1a", "eu-central-1b", "eu-central-1c"][count.index]
}
