module "db_v15_4" {
  count = var.env == "prod" ? 2 : 0
  name  = "new"
}

module "db_v14_9" {
  count = var.env == "prod" ? 0 : 2
  name  = "new"
}

resource "terraform_data" "kept_yes" {
  for_each = toset([for each_key in toset(["a", "c"]) : each_key if var.env == "prod"])

  lifecycle {
    create_before_destroy = false
  }
}

resource "terraform_data" "kept_no" {
  for_each = toset([for each_key in toset(["a", "c"]) : each_key if !(var.env == "prod")])

  lifecycle {
    create_before_destroy = false
  }
}

resource "terraform_data" "one_large" {
  triggers_replace = [merge(terraform_data.kept_yes, terraform_data.kept_no)["a"].id]
}

resource "terraform_data" "one_small" {
  triggers_replace = [merge(terraform_data.kept_yes, terraform_data.kept_no)["a"].id]
}

output "all" {
  value = [concat(module.db_v15_4, module.db_v14_9)[0].name, merge(terraform_data.kept_yes, terraform_data.kept_no)["a"].input, one(concat(terraform_data.one_large[*].input, terraform_data.one_small[*].input))]
}
