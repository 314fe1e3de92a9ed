settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  environment  = "kubernetes"
  connectivity = "air-gapped"
  posture      = "restricted"
  mirror       = "registry.example"
  services     = ["rabbitmq"]

  inputs "rabbitmq" {
    operator    = "installed"
    user_secret = ""
  }
}
