specialize "terraform_data.pinned" {
  fields = ["input.v", "input.b"]
}
variable "env" {
  universe = ["p", "q"]
}
