specialize "terraform_data" {
  fields = ["input"]
}
variable "n" {
  universe = [null]
}
