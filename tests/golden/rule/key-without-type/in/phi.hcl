specialize "terraform_data" {
  fields = ["input"]
}

variable "kind" {
  universe = ["a", "b", "c"]
}
