specialize "terraform_data" {
  fields = ["input"]
}

variable "zones" {
  universe = [[], ["a"], ["a", "b"]]
}

variable "sizes" {
  universe = [{}, { k1 = "a" }, { k1 = "b", k2 = "a" }]
}
