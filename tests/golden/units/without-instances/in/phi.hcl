specialize "terraform_data.database" {
  fields = ["input.version"]
}
variable "env" {
  universe = ["prod", "dev"]
}
