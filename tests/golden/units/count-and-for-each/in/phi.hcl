specialize "terraform_data.db" {
  fields = ["input.release"]
}

specialize "terraform_data.vm" {
  fields = ["input"]
}

specialize "terraform_data.per_key" {
  fields = ["input"]
}
