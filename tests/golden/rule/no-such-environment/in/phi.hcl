settings {
  environments = ["env/prd.tfvars", "envs/*.tfvars", "env/*.tfvars", "else/where.tfvars"]
}

specialize "terraform_data" {
  fields = ["input"]
}
