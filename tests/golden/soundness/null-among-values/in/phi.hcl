specialize "terraform_data" {
  fields = ["input"]
}

variable "zone" {
  universe = ["a", "b", null]
}
