specialize "terraform_data" {
  fields = ["input"]
}
