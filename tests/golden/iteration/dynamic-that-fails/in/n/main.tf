variable "on" {
  type = bool
}

variable "v" {
  type = string
}

resource "terraform_data" "on" {
  input = var.on
}

resource "terraform_data" "v" {
  input = var.v
}

resource "example_box" "works" {
  dynamic "tag" {
    for_each = [for name in ["1"] : name if var.on]
    content {
      value = tonumber(tag.value)
    }
  }
}
