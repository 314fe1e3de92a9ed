# The team's own engine.
module "db_v15_4" {
  source = "./db-v15-4"
  size   = length(one(concat(terraform_data.one_large[*].input, terraform_data.one_small[*].input)))
}

module "db_v14_9" {
  source = "./db-v14-9"
  size   = length(one(concat(terraform_data.one_large[*].input, terraform_data.one_small[*].input)))
}

resource "terraform_data" "kept_yes" {
  input = "yes"
}

resource "terraform_data" "kept_no" {
  input = "no"
}
