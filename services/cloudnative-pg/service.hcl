# PostgreSQL: a cluster of CloudNativePG, https://cloudnative-pg.io
# Operator 1.30.0 (chart 0.29.0), images of the catalog of 2026-08-17.

service "cloudnative-pg" {
  replaces = "aws_db_instance"
  when     = { engine = "postgres" }
  module   = "./aws_db_instance"
  operator = "./operator"
  posture  = "restricted"

  field "engine_version" {
    universe = ["14", "15", "16", "17", "18"]
    accepts  = "1[4-8](\\.[0-9]+)?"
  }

  charts = ["https://cloudnative-pg.github.io/charts/cloudnative-pg:0.29.0"]
  images = [
    "ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0",
    "ghcr.io/cloudnative-pg/postgresql:14.24-202608170814-standard-trixie@sha256:2251ca32ca24152bad5d9ddbc9ac4e95e98d6cff4002e98a5484e542ce2cae36",
    "ghcr.io/cloudnative-pg/postgresql:15.19-202608170814-standard-trixie@sha256:613c7a0417887cd2626a2bfb31fa4e1d86c3088e575fd66bc227007dc69a5487",
    "ghcr.io/cloudnative-pg/postgresql:16.15-202608170814-standard-trixie@sha256:3df9103d7f89c8abc2870463d4d446944c81b5f1f4b707c590895dc003ecbb65",
    "ghcr.io/cloudnative-pg/postgresql:17.11-202608170816-standard-trixie@sha256:91e0de662d53895a45f1396f4ee1a75daeb0c26fc87853afc9c8f43e01fdaa21",
    "ghcr.io/cloudnative-pg/postgresql:18.6-202608170814-standard-trixie@sha256:771f9eab5225587af259d84680cc69a5b6e374ac32bb24effafde1f3368a1241",
  ]

  merge "aws_db_parameter_group" {
    from = "parameter_group_name"
    into = "parameter_group"
  }

  refuses = {
    iam_database_authentication_enabled = "PostgreSQL on Kubernetes knows no IAM. Log in with the password in the secret that master_user_secret names."
    password                            = "The operator makes the password and keeps it in a secret. Set manage_master_user_password = true, and read the secret that master_user_secret names."
    password_wo                         = "The operator makes the password and keeps it in a secret. Set manage_master_user_password = true, and read the secret that master_user_secret names."
    replicate_source_db                 = "A replica of another server isn't made. Set multi_az = true for a standby."
    restore_to_point_in_time            = "The database starts empty. Restore a backup with pg_restore, or by hand with bootstrap.recovery of CloudNativePG."
    s3_import                           = "The database starts empty. Restore a backup with pg_restore."
    snapshot_identifier                 = "The database starts empty. Restore a backup with pg_restore, or by hand with bootstrap.recovery of CloudNativePG."
  }

  ignores = {
    allow_major_version_upgrade              = "Another major version is another image, which the operator upgrades to offline."
    apply_immediately                        = "Changes are always applied at once."
    auto_minor_version_upgrade               = "The image decides the minor version, and comes with the service."
    availability_zone                        = "The scheduler of Kubernetes places the pods."
    backup_retention_period                  = "The service makes no backups."
    backup_window                            = "The service makes no backups."
    ca_cert_identifier                       = "The operator has a certificate authority of its own."
    copy_tags_to_snapshot                    = "The service makes no snapshots."
    database_insights_mode                   = "CloudWatch is AWS's."
    db_subnet_group_name                     = "A cluster of Kubernetes has a network of its own."
    delete_automated_backups                 = "The service makes no backups."
    deletion_protection                      = "Kubernetes has none; use prevent_destroy in the template."
    enabled_cloudwatch_logs_exports          = "Logs are those of the pods."
    final_snapshot_identifier                = "The service makes no snapshots."
    iops                                     = "The storage class decides."
    kms_key_id                               = "The storage class decides whether the volume is encrypted."
    maintenance_window                       = "Nothing is maintained by itself."
    manage_master_user_password              = "The operator makes the password in any case."
    master_user_secret_kms_key_id            = "The secret is one of Kubernetes."
    max_allocated_storage                    = "The volume doesn't grow by itself."
    monitoring_interval                      = "CloudWatch is AWS's."
    monitoring_role_arn                      = "CloudWatch is AWS's."
    network_type                             = "A cluster of Kubernetes has a network of its own."
    option_group_name                        = "Options are RDS's."
    "parameter_group.description"            = "The parameters are a part of the cluster."
    "parameter_group.family"                 = "The image decides the version."
    "parameter_group.name"                   = "The parameters are a part of the cluster."
    "parameter_group.name_prefix"            = "The parameters are a part of the cluster."
    "parameter_group.parameter.apply_method" = "The operator restarts pods where a parameter needs it."
    "parameter_group.skip_destroy"           = "The parameters are a part of the cluster."
    "parameter_group.tags"                   = "Labels of Kubernetes allow fewer characters than tags of AWS."
    parameter_group_name                     = "The parameters of a group of the same module become those of the cluster. Give those of others as an input of the form factor: parameters = { max_connections = \"200\" }."
    performance_insights_enabled             = "CloudWatch is AWS's."
    performance_insights_kms_key_id          = "CloudWatch is AWS's."
    performance_insights_retention_period    = "CloudWatch is AWS's."
    publicly_accessible                      = "The service is reachable within the cluster alone."
    skip_final_snapshot                      = "The service makes no snapshots."
    storage_encrypted                        = "The storage class decides."
    storage_throughput                       = "The storage class decides."
    storage_type                             = "Give the storage class as an input of the form factor: storage_class."
    tags                                     = "Labels of Kubernetes allow fewer characters than tags of AWS."
    timeouts                                 = "Helm has a timeout of its own."
    vpc_security_group_ids                   = "A cluster of Kubernetes has a network of its own."
  }

  drops = {
    aws_db_option_group    = "Options are RDS's."
    aws_db_parameter_group = "No database that is replaced here names it. Give parameters as an input of the form factor: parameters."
    aws_db_subnet_group    = "A cluster of Kubernetes has a network of its own."
  }
}

service "cloudnative-pg-rds-module" {
  replaces = "module:terraform-aws-modules/rds/aws"
  when     = { engine = "postgres" }
  module   = "./rds_module"
  operator = "./operator"
  posture  = "restricted"

  field "engine_version" {
    universe = ["14", "15", "16", "17", "18"]
    accepts  = "1[4-8](\\.[0-9]+)?"
  }

  charts = ["https://cloudnative-pg.github.io/charts/cloudnative-pg:0.29.0"]
  images = [
    "ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0",
    "ghcr.io/cloudnative-pg/postgresql:14.24-202608170814-standard-trixie@sha256:2251ca32ca24152bad5d9ddbc9ac4e95e98d6cff4002e98a5484e542ce2cae36",
    "ghcr.io/cloudnative-pg/postgresql:15.19-202608170814-standard-trixie@sha256:613c7a0417887cd2626a2bfb31fa4e1d86c3088e575fd66bc227007dc69a5487",
    "ghcr.io/cloudnative-pg/postgresql:16.15-202608170814-standard-trixie@sha256:3df9103d7f89c8abc2870463d4d446944c81b5f1f4b707c590895dc003ecbb65",
    "ghcr.io/cloudnative-pg/postgresql:17.11-202608170816-standard-trixie@sha256:91e0de662d53895a45f1396f4ee1a75daeb0c26fc87853afc9c8f43e01fdaa21",
    "ghcr.io/cloudnative-pg/postgresql:18.6-202608170814-standard-trixie@sha256:771f9eab5225587af259d84680cc69a5b6e374ac32bb24effafde1f3368a1241",
  ]

  refuses = {
    db_instance_role_associations        = "PostgreSQL on Kubernetes knows no IAM."
    domain                               = "PostgreSQL on Kubernetes joins no domain."
    domain_auth_secret_arn               = "PostgreSQL on Kubernetes joins no domain."
    domain_fqdn                          = "PostgreSQL on Kubernetes joins no domain."
    iam_database_authentication_enabled  = "PostgreSQL on Kubernetes knows no IAM. Log in with the password in the secret that db_instance_master_user_secret_arn names."
    manage_master_user_password_rotation = "The operator doesn't change the password by itself."
    password                             = "The operator makes the password and keeps it in a secret. Set manage_master_user_password = true, and read the secret that db_instance_master_user_secret_arn names."
    password_wo                          = "The operator makes the password and keeps it in a secret. Set manage_master_user_password = true, and read the secret that db_instance_master_user_secret_arn names."
    replicate_source_db                  = "A replica of another server isn't made. Set multi_az = true for a standby."
    restore_to_point_in_time             = "The database starts empty. Restore a backup with pg_restore, or by hand with bootstrap.recovery of CloudNativePG."
    s3_import                            = "The database starts empty. Restore a backup with pg_restore."
    snapshot_identifier                  = "The database starts empty. Restore a backup with pg_restore, or by hand with bootstrap.recovery of CloudNativePG."
  }

  ignores = {
    allow_major_version_upgrade            = "Another major version is another image, which the operator upgrades to offline."
    apply_immediately                      = "Changes are always applied at once."
    auto_minor_version_upgrade             = "The image decides the minor version, and comes with the service."
    availability_zone                      = "The scheduler of Kubernetes places the pods."
    backup_retention_period                = "The service makes no backups."
    backup_window                          = "The service makes no backups."
    blue_green_update                      = "Another version is rolled out by the operator."
    ca_cert_identifier                     = "The operator has a certificate authority of its own."
    cloudwatch_log_group_class             = "Logs are those of the pods."
    cloudwatch_log_group_kms_key_id        = "Logs are those of the pods."
    cloudwatch_log_group_retention_in_days = "Logs are those of the pods."
    cloudwatch_log_group_skip_destroy      = "Logs are those of the pods."
    cloudwatch_log_group_tags              = "Labels of Kubernetes allow fewer characters than tags of AWS."
    copy_tags_to_snapshot                  = "The service makes no snapshots."
    create_cloudwatch_log_group            = "Logs are those of the pods."
    create_db_option_group                 = "Options are RDS's."
    create_db_parameter_group              = "Give parameters as an input of the form factor: parameters."
    create_db_subnet_group                 = "A cluster of Kubernetes has a network of its own."
    create_monitoring_role                 = "CloudWatch is AWS's."
    custom_iam_instance_profile            = "PostgreSQL on Kubernetes knows no IAM."
    customer_owned_ip_enabled              = "Outposts are AWS's."
    database_insights_mode                 = "CloudWatch is AWS's."
    db_instance_tags                       = "Labels of Kubernetes allow fewer characters than tags of AWS."
    db_option_group_tags                   = "Labels of Kubernetes allow fewer characters than tags of AWS."
    db_parameter_group_tags                = "Labels of Kubernetes allow fewer characters than tags of AWS."
    db_subnet_group_description            = "A cluster of Kubernetes has a network of its own."
    db_subnet_group_name                   = "A cluster of Kubernetes has a network of its own."
    db_subnet_group_tags                   = "Labels of Kubernetes allow fewer characters than tags of AWS."
    db_subnet_group_use_name_prefix        = "A cluster of Kubernetes has a network of its own."
    dedicated_log_volume                   = "The storage class decides."
    delete_automated_backups               = "The service makes no backups."
    deletion_protection                    = "Kubernetes has none; use prevent_destroy in the template."
    enabled_cloudwatch_logs_exports        = "Logs are those of the pods."
    engine_lifecycle_support               = "Extended support is RDS's."
    family                                 = "Give parameters as an input of the form factor: parameters."
    final_snapshot_identifier_prefix       = "The service makes no snapshots."
    instance_use_identifier_prefix         = "The cluster is called as identifier says."
    iops                                   = "The storage class decides."
    kms_key_id                             = "The storage class decides whether the volume is encrypted."
    license_model                          = "PostgreSQL needs no license."
    maintenance_window                     = "Nothing is maintained by itself."
    major_engine_version                   = "Options are RDS's."
    manage_master_user_password            = "The operator makes the password in any case."
    master_user_secret_kms_key_id          = "The secret is one of Kubernetes."
    max_allocated_storage                  = "The volume doesn't grow by itself."
    monitoring_interval                    = "CloudWatch is AWS's."
    monitoring_role_arn                    = "CloudWatch is AWS's."
    monitoring_role_description            = "CloudWatch is AWS's."
    monitoring_role_name                   = "CloudWatch is AWS's."
    monitoring_role_permissions_boundary   = "CloudWatch is AWS's."
    monitoring_role_use_name_prefix        = "CloudWatch is AWS's."
    network_type                           = "A cluster of Kubernetes has a network of its own."
    option_group_description               = "Options are RDS's."
    option_group_name                      = "Options are RDS's."
    option_group_skip_destroy              = "Options are RDS's."
    option_group_timeouts                  = "Options are RDS's."
    option_group_use_name_prefix           = "Options are RDS's."
    options                                = "Options are RDS's."
    parameter_group_description            = "Give parameters as an input of the form factor: parameters."
    parameter_group_name                   = "Give parameters as an input of the form factor: parameters = { max_connections = \"200\" }."
    parameter_group_skip_destroy           = "Give parameters as an input of the form factor: parameters."
    parameter_group_use_name_prefix        = "Give parameters as an input of the form factor: parameters."
    password_wo_version                    = "The operator makes the password in any case."
    performance_insights_enabled           = "CloudWatch is AWS's."
    performance_insights_kms_key_id        = "CloudWatch is AWS's."
    performance_insights_retention_period  = "CloudWatch is AWS's."
    publicly_accessible                    = "The service is reachable within the cluster alone."
    region                                 = "The cluster of Kubernetes is where it is."
    replica_mode                           = "Replicas are Oracle's."
    skip_final_snapshot                    = "The service makes no snapshots."
    storage_encrypted                      = "The storage class decides."
    storage_throughput                     = "The storage class decides."
    storage_type                           = "Give the storage class as an input of the form factor: storage_class."
    subnet_ids                             = "A cluster of Kubernetes has a network of its own."
    tags                                   = "Labels of Kubernetes allow fewer characters than tags of AWS."
    timeouts                               = "Helm has a timeout of its own."
    upgrade_storage_config                 = "The storage class decides."
    vpc_security_group_ids                 = "A cluster of Kubernetes has a network of its own."
  }

  drops = {
    aws_db_option_group    = "Options are RDS's."
    aws_db_parameter_group = "Give parameters as an input of the form factor: parameters."
    aws_db_subnet_group    = "A cluster of Kubernetes has a network of its own."
  }
}

service "cloudnative-pg-aurora" {
  replaces = "aws_rds_cluster"
  when     = { engine = "aurora-postgresql" }
  module   = "./aws_rds_cluster"
  operator = "./operator"
  posture  = "restricted"

  field "engine_version" {
    universe = ["14", "15", "16", "17"]
    accepts  = "1[4-7](\\.[0-9]+)?"
  }

  charts = ["https://cloudnative-pg.github.io/charts/cloudnative-pg:0.29.0"]
  images = [
    "ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0",
    "ghcr.io/cloudnative-pg/postgresql:14.24-202608170814-standard-trixie@sha256:2251ca32ca24152bad5d9ddbc9ac4e95e98d6cff4002e98a5484e542ce2cae36",
    "ghcr.io/cloudnative-pg/postgresql:15.19-202608170814-standard-trixie@sha256:613c7a0417887cd2626a2bfb31fa4e1d86c3088e575fd66bc227007dc69a5487",
    "ghcr.io/cloudnative-pg/postgresql:16.15-202608170814-standard-trixie@sha256:3df9103d7f89c8abc2870463d4d446944c81b5f1f4b707c590895dc003ecbb65",
    "ghcr.io/cloudnative-pg/postgresql:17.11-202608170816-standard-trixie@sha256:91e0de662d53895a45f1396f4ee1a75daeb0c26fc87853afc9c8f43e01fdaa21",
  ]

  merge "aws_rds_cluster_parameter_group" {
    from = "db_cluster_parameter_group_name"
    into = "parameter_group"
  }

  refuses = {
    global_cluster_identifier           = "The cluster stands in one place."
    iam_database_authentication_enabled = "PostgreSQL on Kubernetes knows no IAM. Log in with the password in the secret that master_user_secret names."
    master_password                     = "The operator makes the password and keeps it in a secret. Set manage_master_user_password = true, and read the secret that master_user_secret names."
    master_password_wo                  = "The operator makes the password and keeps it in a secret. Set manage_master_user_password = true, and read the secret that master_user_secret names."
    replication_source_identifier       = "A replica of another cluster isn't made."
    restore_to_point_in_time            = "The database starts empty. Restore a backup with pg_restore, or by hand with bootstrap.recovery of CloudNativePG."
    s3_import                           = "The database starts empty. Restore a backup with pg_restore."
    snapshot_identifier                 = "The database starts empty. Restore a backup with pg_restore, or by hand with bootstrap.recovery of CloudNativePG."
  }

  ignores = {
    allow_major_version_upgrade              = "Another major version is another image, which the operator upgrades to offline."
    apply_immediately                        = "Changes are always applied at once."
    availability_zones                       = "The scheduler of Kubernetes places the pods."
    backup_retention_period                  = "The service makes no backups."
    copy_tags_to_snapshot                    = "The service makes no snapshots."
    database_insights_mode                   = "CloudWatch is AWS's."
    db_cluster_parameter_group_name          = "The parameters of a group of the same module become those of the cluster. Give those of others as an input of the form factor: parameters = { max_connections = \"200\" }."
    db_subnet_group_name                     = "A cluster of Kubernetes has a network of its own."
    deletion_protection                      = "Kubernetes has none; use prevent_destroy in the template."
    enable_http_endpoint                     = "The Data API is AWS's."
    enabled_cloudwatch_logs_exports          = "Logs are those of the pods."
    engine_mode                              = "The pods always run."
    final_snapshot_identifier                = "The service makes no snapshots."
    kms_key_id                               = "The storage class decides whether the volume is encrypted."
    manage_master_user_password              = "The operator makes the password in any case."
    master_user_secret_kms_key_id            = "The secret is one of Kubernetes."
    "parameter_group.description"            = "The parameters are a part of the cluster."
    "parameter_group.family"                 = "The image decides the version."
    "parameter_group.name"                   = "The parameters are a part of the cluster."
    "parameter_group.name_prefix"            = "The parameters are a part of the cluster."
    "parameter_group.parameter.apply_method" = "The operator restarts pods where a parameter needs it."
    "parameter_group.skip_destroy"           = "The parameters are a part of the cluster."
    "parameter_group.tags"                   = "Labels of Kubernetes allow fewer characters than tags of AWS."
    performance_insights_enabled             = "CloudWatch is AWS's."
    performance_insights_kms_key_id          = "CloudWatch is AWS's."
    performance_insights_retention_period    = "CloudWatch is AWS's."
    preferred_backup_window                  = "The service makes no backups."
    preferred_maintenance_window             = "Nothing is maintained by itself."
    scaling_configuration                    = "The pods have a fixed size: instance_class, an input of the form factor."
    serverlessv2_scaling_configuration       = "The pods have a fixed size: instance_class, an input of the form factor."
    skip_final_snapshot                      = "The service makes no snapshots."
    storage_encrypted                        = "The storage class decides."
    storage_type                             = "Give the storage class as an input of the form factor: storage_class."
    tags                                     = "Labels of Kubernetes allow fewer characters than tags of AWS."
    timeouts                                 = "Helm has a timeout of its own."
    vpc_security_group_ids                   = "A cluster of Kubernetes has a network of its own."
  }

  drops = {
    aws_db_parameter_group          = "Give parameters as an input of the form factor: parameters."
    aws_db_subnet_group             = "A cluster of Kubernetes has a network of its own."
    aws_rds_cluster_instance        = "Give their number and class as inputs of the form factor: instances, instance_class."
    aws_rds_cluster_parameter_group = "No database that is replaced here names it. Give parameters as an input of the form factor: parameters."
  }
}

service "cloudnative-pg-aurora-module" {
  replaces = "module:terraform-aws-modules/rds-aurora/aws"
  when     = { engine = "aurora-postgresql" }
  module   = "./rds_aurora_module"
  operator = "./operator"
  posture  = "restricted"

  field "engine_version" {
    universe = ["14", "15", "16", "17"]
    accepts  = "1[4-7](\\.[0-9]+)?"
  }

  charts = ["https://cloudnative-pg.github.io/charts/cloudnative-pg:0.29.0"]
  images = [
    "ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0",
    "ghcr.io/cloudnative-pg/postgresql:14.24-202608170814-standard-trixie@sha256:2251ca32ca24152bad5d9ddbc9ac4e95e98d6cff4002e98a5484e542ce2cae36",
    "ghcr.io/cloudnative-pg/postgresql:15.19-202608170814-standard-trixie@sha256:613c7a0417887cd2626a2bfb31fa4e1d86c3088e575fd66bc227007dc69a5487",
    "ghcr.io/cloudnative-pg/postgresql:16.15-202608170814-standard-trixie@sha256:3df9103d7f89c8abc2870463d4d446944c81b5f1f4b707c590895dc003ecbb65",
    "ghcr.io/cloudnative-pg/postgresql:17.11-202608170816-standard-trixie@sha256:91e0de662d53895a45f1396f4ee1a75daeb0c26fc87853afc9c8f43e01fdaa21",
  ]

  refuses = {
    cluster_activity_stream              = "Activity streams are AWS's."
    create_db_cluster_activity_stream    = "Activity streams are AWS's."
    create_shard_group                   = "PostgreSQL on Kubernetes has no shards."
    domain                               = "PostgreSQL on Kubernetes joins no domain."
    domain_iam_role_name                 = "PostgreSQL on Kubernetes joins no domain."
    enable_global_write_forwarding       = "The cluster stands in one place."
    endpoints                            = "The cluster has the endpoints cluster_endpoint and cluster_reader_endpoint, and no others."
    global_cluster_identifier            = "The cluster stands in one place."
    iam_database_authentication_enabled  = "PostgreSQL on Kubernetes knows no IAM. Log in with the password in the secret that cluster_master_user_secret names."
    iam_roles                            = "PostgreSQL on Kubernetes knows no IAM."
    manage_master_user_password_rotation = "The operator doesn't change the password by itself."
    master_password                      = "The operator makes the password and keeps it in a secret. Set manage_master_user_password = true, and read the secret that cluster_master_user_secret names."
    master_password_wo                   = "The operator makes the password and keeps it in a secret. Set manage_master_user_password = true, and read the secret that cluster_master_user_secret names."
    replication_source_identifier        = "A replica of another cluster isn't made."
    restore_to_point_in_time             = "The database starts empty. Restore a backup with pg_restore, or by hand with bootstrap.recovery of CloudNativePG."
    role_associations                    = "PostgreSQL on Kubernetes knows no IAM."
    s3_import                            = "The database starts empty. Restore a backup with pg_restore."
    shard_group                          = "PostgreSQL on Kubernetes has no shards."
    snapshot_identifier                  = "The database starts empty. Restore a backup with pg_restore, or by hand with bootstrap.recovery of CloudNativePG."
    source_region                        = "A replica of another cluster isn't made."
  }

  ignores = {
    allocated_storage                             = "Aurora's volume grows by itself. Give the size of each volume in the form factor's inputs: storage."
    allow_major_version_upgrade                   = "Another major version is another image, which the operator upgrades to offline."
    allowed_cidr_blocks                           = "A cluster of Kubernetes has a network of its own."
    allowed_security_groups                       = "A cluster of Kubernetes has a network of its own."
    apply_immediately                             = "Changes are always applied at once."
    auto_minor_version_upgrade                    = "The image decides the minor version, and comes with the service."
    autoscaling_enabled                           = "The pods are alike, and their number is fixed: instances."
    autoscaling_max_capacity                      = "The pods are alike, and their number is fixed: instances."
    autoscaling_min_capacity                      = "The pods are alike, and their number is fixed: instances."
    autoscaling_policy_name                       = "The pods are alike, and their number is fixed: instances."
    autoscaling_scale_in_cooldown                 = "The pods are alike, and their number is fixed: instances."
    autoscaling_scale_out_cooldown                = "The pods are alike, and their number is fixed: instances."
    autoscaling_target_connections                = "The pods are alike, and their number is fixed: instances."
    autoscaling_target_cpu                        = "The pods are alike, and their number is fixed: instances."
    availability_zones                            = "The scheduler of Kubernetes places the pods."
    backup_retention_period                       = "The service makes no backups."
    ca_cert_identifier                            = "The operator has a certificate authority of its own."
    cloudwatch_log_group_class                    = "Logs are those of the pods."
    cloudwatch_log_group_kms_key_id               = "Logs are those of the pods."
    cloudwatch_log_group_retention_in_days        = "Logs are those of the pods."
    cloudwatch_log_group_skip_destroy             = "Logs are those of the pods."
    cloudwatch_log_group_tags                     = "Labels of Kubernetes allow fewer characters than tags of AWS."
    cluster_ca_cert_identifier                    = "The operator has a certificate authority of its own."
    cluster_monitoring_interval                   = "CloudWatch is AWS's."
    cluster_parameter_group_name                  = "Give parameters as an input of the form factor: parameters."
    cluster_performance_insights_enabled          = "CloudWatch is AWS's."
    cluster_performance_insights_kms_key_id       = "CloudWatch is AWS's."
    cluster_performance_insights_retention_period = "CloudWatch is AWS's."
    cluster_tags                                  = "Labels of Kubernetes allow fewer characters than tags of AWS."
    cluster_timeouts                              = "Helm has a timeout of its own."
    cluster_use_name_prefix                       = "The cluster is called as name says."
    copy_tags_to_snapshot                         = "The service makes no snapshots."
    create_cloudwatch_log_group                   = "Logs are those of the pods."
    create_db_cluster_parameter_group             = "The parameters are a part of the cluster."
    create_db_parameter_group                     = "The parameters are a part of the cluster."
    create_db_subnet_group                        = "A cluster of Kubernetes has a network of its own."
    create_monitoring_role                        = "CloudWatch is AWS's."
    create_security_group                         = "A cluster of Kubernetes has a network of its own."
    database_insights_mode                        = "CloudWatch is AWS's."
    db_cluster_parameter_group_description        = "The parameters are a part of the cluster."
    db_cluster_parameter_group_family             = "The image decides the version."
    db_cluster_parameter_group_name               = "Give parameters as an input of the form factor: parameters."
    db_cluster_parameter_group_use_name_prefix    = "The parameters are a part of the cluster."
    db_parameter_group_description                = "The parameters are a part of the cluster."
    db_parameter_group_family                     = "The image decides the version."
    db_parameter_group_name                       = "Give parameters as an input of the form factor: parameters."
    db_parameter_group_use_name_prefix            = "The parameters are a part of the cluster."
    db_subnet_group_name                          = "A cluster of Kubernetes has a network of its own."
    delete_automated_backups                      = "The service makes no backups."
    deletion_protection                           = "Kubernetes has none; use prevent_destroy in the template."
    enable_http_endpoint                          = "The Data API is AWS's."
    enable_local_write_forwarding                 = "Write to the primary."
    enabled_cloudwatch_logs_exports               = "Logs are those of the pods."
    engine_lifecycle_support                      = "Extended support is RDS's."
    engine_mode                                   = "The pods always run."
    final_snapshot_identifier                     = "The service makes no snapshots."
    final_snapshot_identifier_prefix              = "The service makes no snapshots."
    iam_role_description                          = "CloudWatch is AWS's."
    iam_role_force_detach_policies                = "CloudWatch is AWS's."
    iam_role_managed_policy_arns                  = "CloudWatch is AWS's."
    iam_role_max_session_duration                 = "CloudWatch is AWS's."
    iam_role_name                                 = "CloudWatch is AWS's."
    iam_role_path                                 = "CloudWatch is AWS's."
    iam_role_permissions_boundary                 = "CloudWatch is AWS's."
    iam_role_use_name_prefix                      = "CloudWatch is AWS's."
    instance_timeouts                             = "Helm has a timeout of its own."
    instances_use_identifier_prefix               = "The pods are called as the operator calls them."
    iops                                          = "The storage class decides."
    is_primary_cluster                            = "The cluster has its own primary."
    kms_key_id                                    = "The storage class decides whether the volume is encrypted."
    manage_master_user_password                   = "The operator makes the password in any case."
    master_password_wo_version                    = "The operator makes the password in any case."
    master_user_secret_kms_key_id                 = "The secret is one of Kubernetes."
    monitoring_interval                           = "CloudWatch is AWS's."
    monitoring_role_arn                           = "CloudWatch is AWS's."
    network_type                                  = "A cluster of Kubernetes has a network of its own."
    performance_insights_enabled                  = "CloudWatch is AWS's."
    performance_insights_kms_key_id               = "CloudWatch is AWS's."
    performance_insights_retention_period         = "CloudWatch is AWS's."
    predefined_metric_type                        = "The pods are alike, and their number is fixed: instances."
    preferred_backup_window                       = "The service makes no backups."
    preferred_maintenance_window                  = "Nothing is maintained by itself."
    publicly_accessible                           = "The service is reachable within the cluster alone."
    region                                        = "The cluster of Kubernetes is where it is."
    scaling_configuration                         = "The pods have a fixed size: instance_class, an input of the form factor."
    security_group_description                    = "A cluster of Kubernetes has a network of its own."
    security_group_egress_rules                   = "A cluster of Kubernetes has a network of its own."
    security_group_ingress_rules                  = "A cluster of Kubernetes has a network of its own."
    security_group_name                           = "A cluster of Kubernetes has a network of its own."
    security_group_rules                          = "A cluster of Kubernetes has a network of its own."
    security_group_tags                           = "Labels of Kubernetes allow fewer characters than tags of AWS."
    security_group_use_name_prefix                = "A cluster of Kubernetes has a network of its own."
    serverlessv2_scaling_configuration            = "The pods have a fixed size: instance_class, an input of the form factor."
    skip_final_snapshot                           = "The service makes no snapshots."
    storage_encrypted                             = "The storage class decides."
    storage_type                                  = "Give the storage class as an input of the form factor: storage_class."
    subnets                                       = "A cluster of Kubernetes has a network of its own."
    tags                                          = "Labels of Kubernetes allow fewer characters than tags of AWS."
    vpc_id                                        = "A cluster of Kubernetes has a network of its own."
    vpc_security_group_ids                        = "A cluster of Kubernetes has a network of its own."
  }

  drops = {
    aws_db_subnet_group             = "A cluster of Kubernetes has a network of its own."
    aws_rds_cluster_parameter_group = "Give parameters as an input of the form factor: parameters."
  }
}
