specialize "terraform_data.app" {
  fields = ["input.engine_version"]
}
