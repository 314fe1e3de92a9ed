variable "size" {
  type    = string
  default = "b"
}

# With the default there is none; with other values, which nothing keeps out, there is.
resource "terraform_data" "app" {
  count = length(var.size) > 2 ? 1 : 0
  input = length(var.size) > 3 ? var.size : "dev"
}
