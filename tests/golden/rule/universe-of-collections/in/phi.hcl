variable "sizes" {
  universe = [{ a = "small" }, { a = "large", b = "small" }, {}]
}

variable "zones" {
  universe = [["a"], ["a", "b"], []]
}

specialize "terraform_data" {
  fields = ["input"]
}
