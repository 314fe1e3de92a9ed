settings {
  environments = ["env/*.tfvars"]
}

specialize "terraform_data" {
  fields = ["input"]
  field "triggers_replace" { universe = ["supplied"] }
}

variable "listed" {
  universe = ["listed"]
}
