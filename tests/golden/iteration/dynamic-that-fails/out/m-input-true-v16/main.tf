variable "on" {
  type = bool
}

variable "v" {
  type = string
}

resource "terraform_data" "on" {
  input = true
}

resource "terraform_data" "v" {
  input = "16"
}

# With `on` written out, Terraform would look into the content of a copy that isn't there in this run, and stop every run.
resource "example_box" "fails" {
  dynamic "tag" {
    for_each = [for name in ["x"] : name if var.on]
    content {
      value = tonumber(tag.value)
    }
  }
}

resource "example_box" "fails_below" {
  dynamic "part" {
    for_each = var.v == "16" ? ["one"] : []
    content {
      dynamic "tag" {
        for_each = toset(["x"])
        content {
          value = tonumber(tag.key)
        }
      }
    }
  }
}
