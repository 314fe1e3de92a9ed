variable "settings" {
  type = any
}

variable "kind" {}

# The keys have no type; no number and no bool is written like one of the names, so that each is chosen by text alone.
resource "terraform_data" "size" {
  input = { small = 1, large = 8 }[var.settings.size]
}

# A value that is listed, and an error that is caught for every other one.
resource "terraform_data" "kind" {
  input = try({ a = "first", b = "second" }[var.kind], "none")
}

# What a function gives depends on the default as well.
variable "zone" {
  type    = string
  default = "b"
}

resource "terraform_data" "zone" {
  input = sort(["c", var.zone])[0]
}
