specialize "terraform_data.main" {
  fields = ["input.mode", "input.zones", "input.default"]
}

specialize "terraform_data.over" {
  fields = ["input"]
}
