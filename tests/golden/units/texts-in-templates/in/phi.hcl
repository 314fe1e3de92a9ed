specialize "terraform_data.run" {
  fields = ["input"]
}
