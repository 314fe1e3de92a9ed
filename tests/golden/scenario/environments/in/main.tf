variable "size" { type = string }
variable "region" {
  type    = string
  default = "eu"
}
variable "replicas" {
  type    = number
  default = 1
}

resource "terraform_data" "db" {
  input = var.size
}

resource "terraform_data" "zone" {
  input = var.region == "eu" ? "eu-1" : "us-1"
}

resource "terraform_data" "n" {
  input = var.replicas
}
