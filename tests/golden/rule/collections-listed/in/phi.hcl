specialize "terraform_data" {
  fields = ["input"]
}

variable "zones" {
  universe = [["a"], ["a", "b"], []]
}

variable "names" {
  universe = [["a"], ["b", "a"]]
}

variable "sizes" {
  universe = [{ s = 1 }, { s = 2, t = 1 }, {}]
}

variable "db" {
  universe = [{ size = 1 }, { size = 2, kind = "big", tags = { a = "x" } }]
}

variable "pair" {
  universe = [["a", true], ["b", false]]
}

variable "any" {
  universe = [["a"], { a = "b" }, "c"]
}
