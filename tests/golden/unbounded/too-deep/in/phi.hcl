settings {
  depth = 1
}

specialize "terraform_data.db" {
  fields = ["input"]
}
