variable "zones" {
  type = list(string)
}

data "aws_vpc" "this" {
  default = true
}

# phi: availability_zone (aws_subnet.this) — gate: Existing(true) — trace: modules/net/main.tf:9-12 — compiler: tf-phi golden
resource "aws_subnet" "this" {
  count             = data.aws_vpc.this.enable_dns_support ? length(var.zones) : 0
  availability_zone = ["a", "b"][count.index]
}
