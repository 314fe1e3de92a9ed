variable "on" {
  type = bool
}

variable "size" {
  type = string
}

resource "terraform_data" "own_count" {
  count = var.on ? 2 : 0
  input = { small = "s", large = "l" }[var.size]
}

resource "terraform_data" "same_condition" {
  count = var.on ? 1 : 0
  input = var.on ? "here" : "never"
}

resource "terraform_data" "one_index" {
  count = var.on ? 1 : 0
  input = "n${count.index}"
}
