variable "connections" {
  type = number
}

# phi: aws_db_instance.one — service: pg — form factor: on-prem
module "one" {
  source = "./services/pg"
  parameter_group = {
    parameter = [{
      name  = "max_connections"
      value = var.connections # of each
      }, {
      name  = "work_mem"
      value = "65536"
    }]
  }
  identifier = "one"
}

# One says the same to all that name it.
# phi: aws_db_instance.many — service: pg — form factor: on-prem
module "many" {
  source = "./services/pg"
  parameter_group = {
    parameter = [{
      name  = "max_connections"
      value = var.connections # of each
      }, {
      name  = "work_mem"
      value = "65536"
    }]
  }
  count      = 2
  identifier = "many-${count.index}"
}

# phi: aws_db_instance.each — service: pg — form factor: on-prem
module "each" {
  source = "./services/pg"
  parameter_group = {
    parameter = [{
      name  = "application_name"
      value = each.key
    }]
  }
  for_each   = toset(["a", "b"])
  identifier = each.key
}

# It has none of this module's.
# phi: aws_db_instance.other — service: pg — form factor: on-prem
module "other" {
  source     = "./services/pg"
  identifier = "other"
}
