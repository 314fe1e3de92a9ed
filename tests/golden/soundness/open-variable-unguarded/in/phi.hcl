specialize "terraform_data" {
  fields = ["input"]
}
variable "v2" {
  universe = ["prod", "15.4"]
}
variable "v3" {
  universe = ["a", "b", "dev"]
}
