variable "port" {
  type = string
}

variable "ranges" {
  type = list(string)
}

locals {
  port    = tonumber(var.port)
  subnets = [for range in var.ranges : cidrsubnet(range, 8, 1)]
}
