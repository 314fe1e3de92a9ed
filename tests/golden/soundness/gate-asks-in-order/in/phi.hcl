specialize "terraform_data.zones" {
  fields = ["input"]
}
