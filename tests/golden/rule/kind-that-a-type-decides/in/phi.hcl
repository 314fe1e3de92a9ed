specialize "module.network.terraform_data.zones" {
  fields = ["input"]
}
