variable "prod" {
  type = bool
}

resource "terraform_data" "db" {
  input            = var.prod ? "15.4" : "14.9"
  triggers_replace = timestamp()
}
