specialize "terraform_data.a" {
  fields = ["input.v"]
}
