specialize "terraform_data" {
  fields = ["input"]
}
variable "v1" {
  universe = ["1", "a"]
}
