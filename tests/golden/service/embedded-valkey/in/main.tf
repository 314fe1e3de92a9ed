# A version of Redis in one place, and one of Valkey in the other: each copy has the image of its own.
variable "env" {
  type = string
}

resource "aws_elasticache_replication_group" "sessions" {
  replication_group_id = "sessions"
  description          = "Sessions"
  engine               = var.env == "prod" ? "redis" : "valkey"
  engine_version       = var.env == "prod" ? "7.1" : "8.1"
  node_type            = "cache.t4g.small"
}

output "sessions" {
  value = aws_elasticache_replication_group.sessions.primary_endpoint_address
}
