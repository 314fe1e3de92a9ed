specialize "terraform_data.app" {
  fields = ["input"]
}
