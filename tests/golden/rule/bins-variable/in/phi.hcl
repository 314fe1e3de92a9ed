specialize "terraform_data" {
  fields = ["input"]
}

variable "size" {
  bins = [20, 100, 1000]
}
