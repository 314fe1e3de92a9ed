module "db" {
  count = 2
  name  = "new"
}

resource "terraform_data" "kept" {
  for_each = toset(["a", "c"])

  lifecycle {
    create_before_destroy = false
  }
}

resource "terraform_data" "one" {
  triggers_replace = [terraform_data.kept["a"].id]
}

output "all" {
  value = [module.db[0].name, terraform_data.kept["a"].input, terraform_data.one.input]
}
