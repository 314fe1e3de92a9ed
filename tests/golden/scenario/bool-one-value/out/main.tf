variable "frozen" {
  type = bool

  # phi: the values that are specialised
  validation {
    condition     = var.frozen != null
    error_message = "frozen must be true or false: null is not specialised. Give it a `default = null` if it is meant."
  }
}

variable "never_null" {
  type     = bool
  nullable = false
}

resource "terraform_data" "app" {
  input = "a"
}

resource "terraform_data" "plain" {
  input = "a"
}
