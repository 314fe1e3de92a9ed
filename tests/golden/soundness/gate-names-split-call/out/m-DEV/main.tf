variable "p" {
  type = string
}

resource "terraform_data" "inner" {
  input = "DEV"
}

output "known" {
  value = var.p != "x y"
}

output "names" {
  value = { k1 = var.p }
}
