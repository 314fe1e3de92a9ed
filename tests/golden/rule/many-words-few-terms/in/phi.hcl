specialize "terraform_data.any" {
  fields = ["input"]
}
