specialize "terraform_data.db" {
  fields = ["input"]
}
variable "instance_size" {
  universe = ["small", "medium", "large"]
}
