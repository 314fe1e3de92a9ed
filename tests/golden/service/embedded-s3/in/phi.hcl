settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  environment  = "kubernetes"
  connectivity = "air-gapped"
  mirror       = "registry.example"
  services     = ["seaweedfs"]

  inputs "seaweedfs" {
    namespace = "storage"
    storage   = 500
  }
}
