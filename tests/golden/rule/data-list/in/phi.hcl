specialize "terraform_data" {
  fields = ["input"]
}

variable "data.external.zones.names" {
  universe = [["a", "b", "c"], ["d", "e", "f", "g"]]
}
