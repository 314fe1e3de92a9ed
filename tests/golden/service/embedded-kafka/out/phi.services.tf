# What the services of the form factor on-prem need once.
module "strimzi_operator" {
  source = "./.phi/services/strimzi/operator"

  mirror = "registry.example"
}
