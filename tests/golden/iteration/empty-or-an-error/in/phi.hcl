specialize "module.c.terraform_data.x" {
  fields = ["input"]
}
