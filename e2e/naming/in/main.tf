variable "protect" { type = bool }

variable "env" { type = string }

# A bool.
resource "terraform_data" "flag" {
  input = "flag"

  lifecycle {
    prevent_destroy = var.protect
  }
}

# A list of references.
resource "terraform_data" "ignores" {
  input = "ignores"

  lifecycle {
    ignore_changes = var.env == "prod" ? [input] : []
  }
}

# Lists, objects, an empty text.
resource "terraform_data" "listed" {
  input = var.env == "prod" ? ["a", "b"] : ["a"]
}

resource "terraform_data" "object" {
  input = var.env == "prod" ? { size = 2 } : {}
}

resource "terraform_data" "text" {
  input = var.env == "prod" ? "x" : ""
}

# With `for_each` and `count` of their own.
resource "terraform_data" "each" {
  for_each = toset(["k", "l"])
  input    = var.protect
}

resource "terraform_data" "counted" {
  count = 2
  input = var.protect
}

# A path.
module "chosen" {
  source = var.env == "prod" ? "./left" : "./right"
}

# Nested, under keys.
module "keyed" {
  source   = "./keyed"
  for_each = toset(["k", "l"])
  protect  = var.protect
}

# References.
provider "terraform" { alias = "us" }

provider "terraform" { alias = "eu" }

module "site" {
  source    = "./left"
  providers = var.env == "prod" ? { terraform = terraform.us } : { terraform = terraform.eu }
}
