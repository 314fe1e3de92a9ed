variable "size" {
  type = number
}

variable "label" {
  type = string
}

resource "terraform_data" "tier" {
  input = var.size <= 15 ? "small" : "large"
}

resource "terraform_data" "big" {
  input = { big = var.size > 15, named = var.label == "100" }
}
