specialize "terraform_data" {
  fields = ["input"]
}
variable "v1" {
  universe = ["a", "b"]
}
