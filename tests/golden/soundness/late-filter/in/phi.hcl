specialize "terraform_data.app" {
  fields = ["input"]
}

variable "sizes" {
  universe = [{}, { k1 = "a" }, { k1 = "b", k2 = "a" }]
}

variable "limits" {
  universe = [{}, { least = 5 }, { least = 20 }]
}
