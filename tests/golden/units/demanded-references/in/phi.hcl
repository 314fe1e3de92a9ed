specialize "terraform_data.app" {
  fields = ["input"]
}
variable "size" {
  universe = ["small", "huge"]
}
