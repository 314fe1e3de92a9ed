specialize "terraform_data" {
  fields = ["input"]
}
variable "terraform.workspace" {
  universe = ["default", "prod"]
}
