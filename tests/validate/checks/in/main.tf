variable "env" {
  type = string
}

check "assertion" {
  assert {
    condition     = var.env == "dev"
    error_message = "Only a warning."
  }
}

check "condition" {
  assert {
    condition     = { dev = true }[var.env]
    error_message = "An error, since the condition has no value."
  }
}

check "message" {
  assert {
    condition     = var.env != "other"
    error_message = "It is evaluated all the same: ${{ dev = "x" }[var.env]}."
  }
}
