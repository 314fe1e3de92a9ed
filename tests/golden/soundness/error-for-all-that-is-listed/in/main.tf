variable "x" {
  type = string
}

variable "n" {
  type    = string
  default = null
}

# With the values that are listed an operand of the object is an error; with others it isn't.
resource "terraform_data" "x" {
  input = var.x == "a" ? { w = "b${var.n}", z = "c" }.w : "p"
}
