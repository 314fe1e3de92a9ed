specialize "terraform_data.app" {
  fields = ["input.engine"]
}

specialize "terraform_data.kept" {
  fields = ["input"]
}

specialize "terraform_data.one" {
  fields = ["input"]
}
