specialize "terraform_data" {
  fields = ["input.engine_version"]
}
