settings {
  links = false
}

specialize "terraform_data" {
  fields = ["input.version"]
}
