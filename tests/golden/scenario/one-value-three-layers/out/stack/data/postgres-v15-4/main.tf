variable "engine_version" { type = string }

resource "terraform_data" "db" {
  input = "15.4"
}
