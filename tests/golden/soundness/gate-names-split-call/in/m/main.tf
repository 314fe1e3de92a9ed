variable "p" {
  type = string
}

resource "terraform_data" "inner" {
  input = upper(var.p)
}

output "known" {
  value = var.p != "x y"
}

output "names" {
  value = { k1 = var.p }
}
