variable "engine" {
  type    = string
  default = null
  validation {
    condition     = var.engine == null || contains(["15.4", "16.2"], coalesce(var.engine, "15.4"))
    error_message = "15.4, 16.2, or nothing."
  }
}

resource "terraform_data" "db" {
  input = var.engine == null ? "14.9" : var.engine
}
