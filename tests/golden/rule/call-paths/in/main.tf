variable "env" {
  type = string
}

# One module on four paths, each with its own argument; the last one takes the default.
module "first" {
  source = "./stack"
  size   = var.env == "prod" ? "large" : "small"
}

module "second" {
  source = "./stack"
  size   = "tiny"
}

module "db" {
  source = "./stack/db"
}
