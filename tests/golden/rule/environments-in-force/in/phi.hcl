settings {
  environments = ["env/**/*.tfvars", "more/test.tfvars.json"]
}

specialize "terraform_data" {
  fields = ["input"]
}
