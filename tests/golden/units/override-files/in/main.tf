variable "env" {
  type     = string
  nullable = false

  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "dev or prod"
  }
}

variable "names" {
  type    = set(string)
  default = ["a", "b"]
}

module "db" {
  source  = "./other"
  name    = "old"
  engine  = "hidden"
  storage = 20
  size    = 0
}

resource "terraform_data" "kept" {
  for_each = var.names
  input    = "hidden"

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "one" { input = var.env == "prod" ? "large" : "small" }

output "all" {
  value = [module.db.name, terraform_data.kept["a"].input, terraform_data.one.input]
}
