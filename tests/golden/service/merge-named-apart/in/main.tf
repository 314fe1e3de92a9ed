# Which instance has which group is nowhere written down.
resource "aws_db_parameter_group" "app" {
  count  = 2
  family = "postgres16"
}

resource "aws_db_instance" "app" {
  identifier           = "app"
  parameter_group_name = aws_db_parameter_group.app[1].name
}
