specialize "terraform_data" {
  fields = ["input"]
}

variable "db" {
  universe = [{ class = "small" }, { class = "large", size = 5 }, { class = "small", backup = false }]
}
