specialize "terraform_data.open" {
  fields = ["input"]
}
specialize "terraform_data.known" {
  fields = ["input"]
}
specialize "terraform_data.chained" {
  fields = ["triggers_replace"]
}
