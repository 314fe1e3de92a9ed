variable "env" {
  type = string
}

resource "terraform_data" "it" {
  input = var.env == "prod" ? "big cache" : "small cache"
}
