specialize "terraform_data.db" {
  fields = ["input", "triggers_replace"]
}
