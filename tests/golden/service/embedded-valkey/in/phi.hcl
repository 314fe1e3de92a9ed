settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  environment = "kubernetes"
  services    = ["valkey"]
}
