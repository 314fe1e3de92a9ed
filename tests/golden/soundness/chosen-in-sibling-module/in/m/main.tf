variable "p11" {
  type = bool
}
locals {
  l13 = (var.p11 ? 15.4 : 3)
}
output "o17" {
  value = { yes = { a = "prod", n = 1.50 }, no = { a = "a", n = 2 } }[(local.l13 == 15.4) ? "yes" : "no"]
}
