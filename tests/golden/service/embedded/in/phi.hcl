settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  services = ["cloudnative-pg"]

  inputs "cloudnative-pg" {
    namespace     = "databases"
    storage_class = "fast"
    mirror        = "registry.example"
  }
}
