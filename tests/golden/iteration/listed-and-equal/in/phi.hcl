specialize "terraform_data" {
  fields = ["input"]
}

variable "zones" {
  universe = [[], ["a"], ["a", "b"]]
}
