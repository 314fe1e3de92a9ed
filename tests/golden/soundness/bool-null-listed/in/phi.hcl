specialize "terraform_data" {
  fields = ["input"]
}
variable "b" {
  universe = [true, null]
}
