# phi: aws_db_instance.one — service: pg — form factor: on-prem
module "one" {
  source         = "./services/pg"
  engine_version = "15.4"
}

# phi: aws_db_instance.list — service: pg — form factor: on-prem
module "list" {
  source         = "./services/pg"
  count          = 2
  engine_version = "15.4"
}

# phi: aws_db_instance.map — service: pg — form factor: on-prem
module "map" {
  source         = "./services/pg"
  for_each       = toset(["a", "b"])
  engine_version = "15.4"
}

locals {
  plain     = module.one.host
  prefixed  = module.one.host
  quoted    = module.one.host
  text      = "${module.one.host}:${module.one.port}"
  first     = module.list[0].host
  legacy    = module.list.0.host
  all       = module.list[*].host
  attribute = module.list.*.host
  some      = one(slice(module.list[*].host, 0, 1))
  count     = length(module.list) > 0 ? (module.list[0]).host : null
  by_key    = module.map["a"].host
  by_name   = { for name in ["a", "b"] : name => module.map[name].host }
  deep      = [module.one.host][0]
  tried     = try(module.list[1].host, "")
  keys      = keys(module.map)
  listed    = values(module.map)[*].host
  counted   = length(values(module.map))

  looped  = [for db in module.list : db.host]
  keyed   = { for name, db in module.map : name => format("%s:%s", db.host, db.port) if db.port > 0 }
  within  = [for db in values(module.map) : [for part in split("-", db.host) : upper(part)]]
  hidden  = [for db in module.list : [for db in [db.host] : db]]
  grouped = { for db in module.list : db.host => db.port... }
  joined  = [for db in concat([for value in module.list : { address = value.host, port = value.port }], [for value in module.list : { address = value.host, port = value.port }]) : format("%s:%s", db.address, db.port)]
}

resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = module.map[each.key].host

  depends_on = [module.one, module.list]
}

output "heredoc" {
  value = <<-EOT
    host = ${module.one.host}
    %{for db in module.list}
    of many = ${db.host}
    %{endfor}
  EOT
}
