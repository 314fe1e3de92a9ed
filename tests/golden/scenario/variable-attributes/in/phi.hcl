specialize "terraform_data" {
  fields = ["input"]
}
variable "cfg.version" {
  universe = ["1.0", "2.0"]
}
