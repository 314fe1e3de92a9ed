variable "env" { type = string }

resource "terraform_data" "db" {
  input = contains(["prod", "dev"], var.env) ? "known" : "unknown"
}
