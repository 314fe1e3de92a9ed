variable "pg" {
  type    = string
  default = "15"

  # phi: the values that are specialised
  validation {
    condition     = var.pg == "15"
    error_message = "pg must be \"15\": only the default is specialised. List other values in phi.hcl."
  }
}

resource "terraform_data" "engine" {
  input = "15"
}
