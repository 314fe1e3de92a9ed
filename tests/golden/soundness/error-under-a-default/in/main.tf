variable "env" {
  type    = string
  default = "a"
}

# With the default alone it is an error; Terraform accepts other values.
resource "terraform_data" "db" {
  input = "${{ prod = "15.4", dev = "14.9" }[var.env]}-${var.env}"
}
