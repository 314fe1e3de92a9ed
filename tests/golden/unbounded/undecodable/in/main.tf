variable "settings" {
  type = string
}

resource "terraform_data" "db" {
  input = jsondecode(var.settings).engine == "postgres" ? "15.4" : "8.0"
}
