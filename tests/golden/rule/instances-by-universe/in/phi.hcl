specialize "terraform_data" { fields = ["input"] }
variable "zones" {
  universe = [{}, { k1 = "a" }, { k1 = "b", k2 = "a" }]
}
