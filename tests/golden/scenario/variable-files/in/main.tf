variable "pg" {
  type    = string
  default = "15"
}

variable "cfg" {
  type = object({
    version = string
    size    = number
  })
  default = {
    version = "1.0"
    size    = 10
  }
}

variable "versions" {
  type = map(string)
}

resource "terraform_data" "engine" {
  input = var.pg
}

resource "terraform_data" "attribute" {
  input = var.cfg.version
}

resource "terraform_data" "key" {
  input = var.versions["redis"]
}
