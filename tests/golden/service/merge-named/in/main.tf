# Resources that their owner names become an argument of its call.
resource "aws_db_parameter_group" "shared" {
  family = "postgres16"

  parameter {
    name         = "max_connections"
    value        = var.connections # of each
    apply_method = "pending-reboot"
  }

  parameter {
    name  = "work_mem"
    value = "65536"
  }
}

variable "connections" {
  type = number
}

resource "aws_db_instance" "one" {
  identifier           = "one"
  parameter_group_name = aws_db_parameter_group.shared.name
}

# One says the same to all that name it.
resource "aws_db_instance" "many" {
  count                = 2
  identifier           = "many-${count.index}"
  parameter_group_name = aws_db_parameter_group.shared.id
}

resource "aws_db_parameter_group" "each" {
  for_each = toset(["a", "b"])
  family   = "postgres16"

  parameter {
    name  = "application_name"
    value = each.key
  }
}

resource "aws_db_instance" "each" {
  for_each             = toset(["a", "b"])
  identifier           = each.key
  parameter_group_name = aws_db_parameter_group.each[each.key].name
}

# It has none of this module's.
resource "aws_db_instance" "other" {
  identifier           = "other"
  parameter_group_name = "default.postgres16"
}
