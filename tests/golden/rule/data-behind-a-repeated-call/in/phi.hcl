variable "module.versions.data.external.versions.result.postgres" {
  universe = ["15", "16"]
}

specialize "module.versions.terraform_data.db" {
  fields = ["input"]
}
