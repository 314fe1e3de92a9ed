# A set of objects has no keys that could be written down.
resource "aws_set" "by" {
  dynamic "rule" {
    for_each = toset([{ port = 80 }, { port = 443 }])
    content {
      port = rule.value.port
    }
  }
}
