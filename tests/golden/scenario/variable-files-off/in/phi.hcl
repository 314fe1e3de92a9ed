settings {
  environments = []
}
specialize "terraform_data" {
  fields = ["input"]
}
