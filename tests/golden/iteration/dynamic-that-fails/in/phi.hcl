specialize "terraform_data" {
  fields = ["input"]
}
variable "env" {
  universe = ["a", "b"]
}
