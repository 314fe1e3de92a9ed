specialize "terraform_data.vm" {
  fields = ["input"]
}
