settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  environment  = "kubernetes"
  connectivity = "air-gapped"
  posture      = "restricted"
  mirror       = "registry.example"
  services     = ["strimzi"]
  drops        = ["aws_security_group"]

  inputs "strimzi" {
    users = ["app"]
  }
}
