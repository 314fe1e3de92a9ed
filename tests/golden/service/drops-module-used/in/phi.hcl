settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  services = []
  drops    = ["module:terraform-aws-modules/vpc/aws"]
}
