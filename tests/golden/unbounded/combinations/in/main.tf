variable "a" {
  type = string
  validation {
    condition     = contains(["1", "2", "3", "4", "5"], var.a)
    error_message = "1 to 5."
  }
}

variable "b" {
  type = string
  validation {
    condition     = contains(["1", "2", "3", "4"], var.b)
    error_message = "1 to 4."
  }
}

resource "terraform_data" "db" {
  input = "${var.a}-${var.b}"
}
