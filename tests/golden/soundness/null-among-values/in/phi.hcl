specialize "terraform_data" {
  fields = ["input"]
}

variable "tier" {
  universe = ["any", "strict"]
}
