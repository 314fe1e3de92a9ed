variable "name" {
  type = string
}

variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  type = list(string)
}

variable "unused" {
  default = null
}

locals {
  group  = aws_db_subnet_group.this.name
  groups = [local.group, aws_security_group.this.id]
  upper  = upper(var.name)
  before = local.group
}

resource "aws_security_group" "this" {
  vpc_id = var.vpc_id
}

resource "aws_db_subnet_group" "this" {
  name       = var.name
  subnet_ids = var.subnet_ids
}

resource "aws_db_instance" "this" {
  identifier             = local.upper
  engine_version         = "15.4"
  db_subnet_group_name   = local.group
  vpc_security_group_ids = local.groups
}

output "address" {
  value = aws_db_instance.this.address
}

output "group" {
  value = local.before
}
