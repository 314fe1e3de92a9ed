settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  environment  = "marsbase"
  connectivity = "air-gaped"
  posture      = "relaxed"
  mirror       = "https://registry.example"

  services = ["cloudnative-pg"]
}
