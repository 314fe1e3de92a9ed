specialize "terraform_data.same" {
  fields = ["input"]
}

specialize "terraform_data.listed" {
  fields = ["input"]
}
