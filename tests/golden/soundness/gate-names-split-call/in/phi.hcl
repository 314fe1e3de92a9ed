specialize "terraform_data" {
  fields = ["input"]
}

variable "n" {
  universe = [1, 2, 15]
}
