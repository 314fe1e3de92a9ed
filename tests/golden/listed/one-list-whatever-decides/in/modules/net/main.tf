variable "zones" {
  type = list(string)
}

data "aws_vpc" "this" {
  default = true
}

resource "aws_subnet" "this" {
  count             = data.aws_vpc.this.enable_dns_support ? length(var.zones) : 0
  availability_zone = var.zones[count.index]
}
