resource "aws_db_instance" "app" {
  engine_version = "15.4"

  storage {
    size = 20
  }

  timeouts {
    create = "1h"
  }

  dynamic "tag" {
    for_each = ["a"]
    content {
      key = tag.value
    }
  }

  # the last
  name = "x"
}

resource "aws_db_instance" "line" { engine_version = "14.9" }
