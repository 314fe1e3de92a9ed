settings {
  branches = 20
}

specialize "terraform_data" {
  fields = ["input"]
}
