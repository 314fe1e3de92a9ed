variable "name" {
  type = string
}

variable "replicas" {
  type    = number
  default = 0
}

variable "subnet_ids" {
  type = list(string)
}

resource "aws_elasticache_subnet_group" "this" {
  name       = var.name
  subnet_ids = var.subnet_ids
}

resource "aws_elasticache_replication_group" "this" {
  replication_group_id = var.name
  description          = "Sessions and counters"
  engine               = "valkey"
  node_type            = "cache.t4g.small"
  num_cache_clusters   = 1 + var.replicas
  subnet_group_name    = aws_elasticache_subnet_group.this.name
}

output "address" {
  value = aws_elasticache_replication_group.this.primary_endpoint_address
}
