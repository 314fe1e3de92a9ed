specialize "terraform_data.db" {
  fields = ["input"]
}
