# A version of Redis in one place, and one of Valkey in the other: each copy has the image of its own.
variable "env" {
  type = string
}

# phi: aws_elasticache_replication_group.sessions — service: valkey — form factor: on-prem
# phi: engine_version (module.sessions) — gate: Existing(var.env == "prod") — trace: main.tf:6-12 — compiler: tf-phi golden
module "sessions_v7_1" {
  count                = var.env == "prod" ? 1 : 0
  source               = "./.phi/modules/aws_elasticache_replication_group-v7-1"
  replication_group_id = "sessions"
  node_type            = "cache.t4g.small"
}

# phi: engine_version (module.sessions) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:6-12 — compiler: tf-phi golden
module "sessions_v8_1" {
  count                = var.env == "prod" ? 0 : 1
  source               = "./.phi/modules/aws_elasticache_replication_group-v8-1"
  replication_group_id = "sessions"
  node_type            = "cache.t4g.small"
}

output "sessions" {
  value = one(concat(module.sessions_v7_1[*].primary_endpoint_address, module.sessions_v8_1[*].primary_endpoint_address))
}
