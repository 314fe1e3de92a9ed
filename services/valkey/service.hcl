# Redis and Valkey: the chart of the Valkey project, https://valkey.io/valkey-helm
# Chart 0.11.0, whose makers test it with Valkey 9.1. Standalone or with replicas; it has neither failover nor cluster mode.

service "valkey" {
  replaces = "aws_elasticache_replication_group"
  module   = "./aws_elasticache_replication_group"
  posture  = "restricted"

  field "engine_version" {
    universe  = ["7.0", "7.1", "7.2", "8.0", "8.1", "9.0", "9.1"]
    accepts   = "(7\\.[0-2]|8\\.[01]|9\\.[01])(\\.[0-9]+)?"
    otherwise = "Valkey begins with 7.2, which goes on from Redis OSS 7.2: what comes from before 7.0 jumps over a major version. 8.2 of ElastiCache is 8.1 with a search of AWS's own. The cache starts empty in any case, so that the jump costs no migration of data, and is accepted by an input of the form factor."
  }

  merge "aws_elasticache_parameter_group" {
    from = "parameter_group_name"
    into = "parameter_group"
  }

  charts = ["https://valkey.io/valkey-helm/valkey:0.11.0"]
  images = [
    "docker.io/valkey/valkey:7.2.15",
    "docker.io/valkey/valkey:8.0.12",
    "docker.io/valkey/valkey:8.1.11",
    "docker.io/valkey/valkey:9.0.8",
    "docker.io/valkey/valkey:9.1.4",
  ]

  refuses = {
    auth_token                  = "A value would stand in the state. Make a secret with the password under the key default, and name it in the form factor's inputs: auth_secret."
    automatic_failover_enabled  = "The chart of Valkey has no failover: where the first pod is lost, Kubernetes starts it again. Set it to false where that will do."
    cluster_mode                = "The chart of Valkey has no cluster mode."
    data_tiering_enabled        = "Valkey keeps everything in memory."
    global_replication_group_id = "A replica of another group isn't made."
    multi_az_enabled            = "The chart of Valkey has no failover. Set it to false where that will do."
    num_node_groups             = "The chart of Valkey has no shards. Leave num_node_groups out, and say num_cache_clusters."
    replicas_per_node_group     = "The chart of Valkey has no shards. Say num_cache_clusters."
    snapshot_arns               = "The cache starts empty."
    snapshot_name               = "The cache starts empty."
    user_group_ids              = "Users of ElastiCache aren't carried over. Name a secret in the form factor's inputs: auth_secret."
  }

  ignores = {
    apply_immediately             = "Changes are always applied at once."
    at_rest_encryption_enabled    = "The storage class decides."
    auto_minor_version_upgrade    = "The image decides the version, and comes with the service."
    description                   = "Helm has a description of its own."
    engine                        = "Valkey stands in for both engines."
    final_snapshot_identifier     = "The service makes no snapshots."
    ip_discovery                  = "A cluster of Kubernetes has a network of its own."
    kms_key_id                    = "The storage class decides whether the volume is encrypted."
    log_delivery_configuration    = "Logs are those of the pods."
    maintenance_window            = "Nothing is maintained by itself."
    network_type                  = "A cluster of Kubernetes has a network of its own."
    notification_topic_arn        = "SNS is AWS's."
    "parameter_group.description" = "The parameters are a part of the cache."
    "parameter_group.family"      = "The image decides the version."
    "parameter_group.name"        = "The parameters are a part of the cache."
    "parameter_group.tags"        = "Labels of Kubernetes allow fewer characters than tags of AWS."
    parameter_group_name          = "The parameters of a group of the same module become lines of valkey.conf. Give those of others as an input of the form factor: config."
    preferred_cache_cluster_azs   = "The scheduler of Kubernetes places the pods."
    security_group_ids            = "A cluster of Kubernetes has a network of its own."
    snapshot_retention_limit      = "The service makes no snapshots."
    snapshot_window               = "The service makes no snapshots."
    subnet_group_name             = "A cluster of Kubernetes has a network of its own."
    tags                          = "Labels of Kubernetes allow fewer characters than tags of AWS."
    timeouts                      = "Helm has a timeout of its own."
    transit_encryption_mode       = "With TLS, clients without it are refused."
  }

  drops = {
    aws_elasticache_parameter_group = "No cache that is replaced here names it. Give lines of valkey.conf as an input of the form factor: config."
    aws_elasticache_subnet_group    = "A cluster of Kubernetes has a network of its own."
  }
}

service "valkey-cluster" {
  replaces = "aws_elasticache_cluster"
  when     = { engine = "valkey" }
  module   = "./aws_elasticache_cluster"
  posture  = "restricted"

  field "engine_version" {
    universe  = ["7.0", "7.1", "7.2", "8.0", "8.1", "9.0", "9.1"]
    accepts   = "(7\\.[0-2]|8\\.[01]|9\\.[01])(\\.[0-9]+)?"
    otherwise = "Valkey begins with 7.2, which goes on from Redis OSS 7.2: what comes from before 7.0 jumps over a major version. 8.2 of ElastiCache is 8.1 with a search of AWS's own. The cache starts empty in any case, so that the jump costs no migration of data, and is accepted by an input of the form factor."
  }

  merge "aws_elasticache_parameter_group" {
    from = "parameter_group_name"
    into = "parameter_group"
  }

  charts = ["https://valkey.io/valkey-helm/valkey:0.11.0"]
  images = [
    "docker.io/valkey/valkey:7.2.15",
    "docker.io/valkey/valkey:8.0.12",
    "docker.io/valkey/valkey:8.1.11",
    "docker.io/valkey/valkey:9.0.8",
    "docker.io/valkey/valkey:9.1.4",
  ]

  refuses = {
    outpost_mode         = "Outposts are AWS's."
    replication_group_id = "The members of a replication group come with it."
    snapshot_arns        = "The cache starts empty."
    snapshot_name        = "The cache starts empty."
  }

  ignores = {
    apply_immediately             = "Changes are always applied at once."
    auto_minor_version_upgrade    = "The image decides the version, and comes with the service."
    availability_zone             = "The scheduler of Kubernetes places the pods."
    az_mode                       = "The scheduler of Kubernetes places the pods."
    final_snapshot_identifier     = "The service makes no snapshots."
    ip_discovery                  = "A cluster of Kubernetes has a network of its own."
    log_delivery_configuration    = "Logs are those of the pods."
    maintenance_window            = "Nothing is maintained by itself."
    network_type                  = "A cluster of Kubernetes has a network of its own."
    notification_topic_arn        = "SNS is AWS's."
    "parameter_group.description" = "The parameters are a part of the cache."
    "parameter_group.family"      = "The image decides the version."
    "parameter_group.name"        = "The parameters are a part of the cache."
    "parameter_group.tags"        = "Labels of Kubernetes allow fewer characters than tags of AWS."
    parameter_group_name          = "The parameters of a group of the same module become lines of valkey.conf. Give those of others as an input of the form factor: config."
    preferred_availability_zones  = "The scheduler of Kubernetes places the pods."
    preferred_outpost_arn         = "Outposts are AWS's."
    security_group_ids            = "A cluster of Kubernetes has a network of its own."
    snapshot_retention_limit      = "The service makes no snapshots."
    snapshot_window               = "The service makes no snapshots."
    subnet_group_name             = "A cluster of Kubernetes has a network of its own."
    tags                          = "Labels of Kubernetes allow fewer characters than tags of AWS."
    timeouts                      = "Helm has a timeout of its own."
  }

  drops = {
    aws_elasticache_parameter_group = "No cache that is replaced here names it. Give lines of valkey.conf as an input of the form factor: config."
    aws_elasticache_subnet_group    = "A cluster of Kubernetes has a network of its own."
  }
}

service "valkey-redis" {
  replaces = "aws_elasticache_cluster"
  when     = { engine = "redis" }
  module   = "./aws_elasticache_cluster"
  posture  = "restricted"

  field "engine_version" {
    universe  = ["7.0", "7.1", "7.2", "8.0", "8.1", "9.0", "9.1"]
    accepts   = "(7\\.[0-2]|8\\.[01]|9\\.[01])(\\.[0-9]+)?"
    otherwise = "Valkey begins with 7.2, which goes on from Redis OSS 7.2: what comes from before 7.0 jumps over a major version. 8.2 of ElastiCache is 8.1 with a search of AWS's own. The cache starts empty in any case, so that the jump costs no migration of data, and is accepted by an input of the form factor."
  }

  merge "aws_elasticache_parameter_group" {
    from = "parameter_group_name"
    into = "parameter_group"
  }

  charts = ["https://valkey.io/valkey-helm/valkey:0.11.0"]
  images = [
    "docker.io/valkey/valkey:7.2.15",
    "docker.io/valkey/valkey:8.0.12",
    "docker.io/valkey/valkey:8.1.11",
    "docker.io/valkey/valkey:9.0.8",
    "docker.io/valkey/valkey:9.1.4",
  ]

  refuses = {
    outpost_mode         = "Outposts are AWS's."
    replication_group_id = "The members of a replication group come with it."
    snapshot_arns        = "The cache starts empty."
    snapshot_name        = "The cache starts empty."
  }

  ignores = {
    apply_immediately             = "Changes are always applied at once."
    auto_minor_version_upgrade    = "The image decides the version, and comes with the service."
    availability_zone             = "The scheduler of Kubernetes places the pods."
    az_mode                       = "The scheduler of Kubernetes places the pods."
    final_snapshot_identifier     = "The service makes no snapshots."
    ip_discovery                  = "A cluster of Kubernetes has a network of its own."
    log_delivery_configuration    = "Logs are those of the pods."
    maintenance_window            = "Nothing is maintained by itself."
    network_type                  = "A cluster of Kubernetes has a network of its own."
    notification_topic_arn        = "SNS is AWS's."
    "parameter_group.description" = "The parameters are a part of the cache."
    "parameter_group.family"      = "The image decides the version."
    "parameter_group.name"        = "The parameters are a part of the cache."
    "parameter_group.tags"        = "Labels of Kubernetes allow fewer characters than tags of AWS."
    parameter_group_name          = "The parameters of a group of the same module become lines of valkey.conf. Give those of others as an input of the form factor: config."
    preferred_availability_zones  = "The scheduler of Kubernetes places the pods."
    preferred_outpost_arn         = "Outposts are AWS's."
    security_group_ids            = "A cluster of Kubernetes has a network of its own."
    snapshot_retention_limit      = "The service makes no snapshots."
    snapshot_window               = "The service makes no snapshots."
    subnet_group_name             = "A cluster of Kubernetes has a network of its own."
    tags                          = "Labels of Kubernetes allow fewer characters than tags of AWS."
    timeouts                      = "Helm has a timeout of its own."
  }

  drops = {
    aws_elasticache_parameter_group = "No cache that is replaced here names it. Give lines of valkey.conf as an input of the form factor: config."
    aws_elasticache_subnet_group    = "A cluster of Kubernetes has a network of its own."
  }
}
