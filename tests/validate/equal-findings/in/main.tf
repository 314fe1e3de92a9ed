variable "env" {
  default = "dev"
}

module "a" {
  source = "./m"
  env    = var.env
}

module "b" {
  source = "./m"
  env    = var.env
}

resource "terraform_data" "one" {
  input = var.evn
}

resource "terraform_data" "two" {
  input = [var.evn, { dev = 1 }[var.env], { prod = 1 }[var.env]]
}

resource "terraform_data" "three" {
  input = "${var.evn}-${{ prod = 1 }[var.env]}"
}
