specialize "terraform_data" {
  field "input" { universe = ["14.9", "15.4"] }
}
settings {
  environments = ["env/*.tfvars"]
}
