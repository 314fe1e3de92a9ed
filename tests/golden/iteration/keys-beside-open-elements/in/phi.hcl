specialize "terraform_data.database" {
  fields = ["input"]
}
