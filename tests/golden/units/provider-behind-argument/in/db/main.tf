variable "release" {
  type = string
}

provider "aws" {
  region = "eu-west-1"
}

resource "terraform_data" "db" {
  input = var.release
}
