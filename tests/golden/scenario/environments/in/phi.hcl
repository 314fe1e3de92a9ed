settings {
  environments = ["env/*.tfvars"]
}
specialize "terraform_data" {
  fields = ["input"]
}
