variable "size" {
  universe = ["s", "m", "l"]
}
variable "terraform.workspace" {
  universe = ["default", "prod"]
}
