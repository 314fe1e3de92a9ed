variable "engine" {
  type = string
}

resource "aws_db_instance" "this" {
  for_each   = toset(["a", "b"])
  identifier = "reports-${each.key}"
  engine     = var.engine
}

output "addresses" {
  value = { for name in ["a", "b"] : name => aws_db_instance.this[name].address }
}
