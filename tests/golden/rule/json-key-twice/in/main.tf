variable "env" {
  type = string
}

# Where the environment is "prod", the object in JSON has a key twice, which is an error there: no branch holds it.
resource "terraform_data" "db" {
  input = local.version[var.env]
}
