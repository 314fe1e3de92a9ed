# The team's own engine.
module "db" {
  source = "./db"
  engine = var.env == "prod" ? "15.4" : "14.9"
  size   = length(terraform_data.one.input)
}

resource "terraform_data" "kept" {
  input = var.env == "prod" ? "yes" : "no"
}
