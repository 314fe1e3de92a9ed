variable "prod" {
  type = bool
}

variable "prefix" {
  type    = string
  default = "db"
}

output "name" {
  value = "${var.prefix}-${var.prod ? "p" : "d"}"
}
