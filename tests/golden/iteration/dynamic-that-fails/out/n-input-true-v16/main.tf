resource "terraform_data" "on" {
  input = true
}

resource "terraform_data" "v" {
  input = "16"
}

resource "example_box" "works" {
  dynamic "tag" {
    for_each = [for name in ["1"] : name if true]
    content {
      value = tonumber(tag.value)
    }
  }
}
