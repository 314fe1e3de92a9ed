specialize "terraform_data.r" {
  fields = ["input"]
}
