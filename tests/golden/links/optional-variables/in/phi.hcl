specialize "terraform_data" {
  fields = ["input.engine", "input.class", "input.port"]
}
