form_factor "on-prem" {
  environment  = "kubernetes"
  connectivity = "connected"
  services     = ["cloudnative-pg", "valkey"]
}

service "cloudnative-pg" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./services/cloudnative-pg"
  ignores  = ["instance_class", "skip_final_snapshot"]
  outputs  = { address = "host" }

  field "engine_version" {
    universe = ["14.9", "15.4", "16.2", "17.2"]
  }
}

service "valkey" {
  replaces = "aws_elasticache_replication_group"
  module   = "./services/valkey"
  ignores  = ["description", "node_type"]
  outputs  = { primary_endpoint_address = "host" }

  field "engine_version" {
    universe = ["7.1", "8.0"]
  }
}
