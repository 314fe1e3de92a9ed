settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  connectivity = "air-gapped"

  services = ["cloudnative-pg"]
}
