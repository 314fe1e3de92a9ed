specialize "terraform_data.node" {
  fields = ["input.size"]
}
