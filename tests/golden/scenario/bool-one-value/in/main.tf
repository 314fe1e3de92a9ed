variable "frozen" {
  type = bool
}

variable "never_null" {
  type     = bool
  nullable = false
}

resource "terraform_data" "app" {
  input = var.frozen ? "a" : { o = "a" }["o"]
}

resource "terraform_data" "plain" {
  input = var.never_null ? "a" : "a"
}
