specialize "terraform_data.disk" {
  fields = ["input"]
}
