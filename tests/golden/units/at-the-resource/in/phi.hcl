specialize "terraform_data.release" {
  fields = ["input"]
  at     = "resource"
}
