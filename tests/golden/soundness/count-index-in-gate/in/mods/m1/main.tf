variable "p6" {
  type = string
}

resource "terraform_data" "r9" {
  count = 2
  input = (can(regex("^[a-d]", var.p6)) ? try(var.p6, var.p6) : "%{ if (can(regex("^[a-d]", var.p6)) && (count.index <= 5)) }${var.p6}%{ else }none%{ endif }")
  triggers_replace = "m1.r9"
}
