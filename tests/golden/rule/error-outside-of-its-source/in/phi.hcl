specialize "terraform_data.b" {
  fields = ["input.v"]
}
