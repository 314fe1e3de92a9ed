resource "terraform_data" "db" {
  input = "b"
}

provider "aws" {
  region = "eu-west-1"
}
