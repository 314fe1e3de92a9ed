specialize "terraform_data" {
  fields = ["input"]
}

variable "listed" {
  universe = ["eu", "us", "apac"]
}
