# What stays refers to it.
module "used" {
  source = "./group"

  name = "used"
}

module "unused" {
  source = "./group"

  name = module.used.id
}

resource "aws_db_instance" "app" {
  identifier             = "app"
  engine_version         = "15.4"
  vpc_security_group_ids = [module.used.id, module.unused.id]
}

output "group" {
  value = module.used.id
}
