specialize "terraform_data.postgres" {
  fields = ["input.engine_version"]
}
