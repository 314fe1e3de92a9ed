# A cluster of MSK with its configuration and satellites, on Strimzi; what the template's types don't name goes.
variable "prod" {
  type = bool
}

# phi: aws_msk_configuration.this — service: strimzi-configuration — form factor: on-prem
module "aws_msk_configuration_this" {
  source            = "./.phi/services/strimzi/aws_msk_configuration"
  name              = "events"
  server_properties = <<-EOT
    auto.create.topics.enable = true
    num = 1
    retention = 2
  EOT
}

# phi: aws_msk_cluster.this — service: strimzi — form factor: on-prem
# phi: kafka_version (module.aws_msk_cluster_this) — gate: Existing(var.prod) — trace: main.tf:20-48 — compiler: tf-phi golden
module "aws_msk_cluster_this_v4_2_x_kraft" {
  count                  = var.prod ? 1 : 0
  source                 = "./.phi/modules/aws_msk_cluster-v4-2-x-kraft"
  users                  = ["app"]
  operator               = module.strimzi_operator.ready
  cluster_name           = "events"
  number_of_broker_nodes = var.prod ? 6 : 3

  broker_node_group_info = {
    instance_type = "kafka.m7g.large"

    storage_info = {
      ebs_storage_info = {
        volume_size = 100
      }
    }
  }

  configuration_info = {
    arn = module.aws_msk_configuration_this.arn
  }

  client_authentication = {
    sasl = {
      scram = true
    }
  }
}

# phi: kafka_version (module.aws_msk_cluster_this) — gate: Not(Existing(var.prod)) — trace: main.tf:20-48 — compiler: tf-phi golden
module "aws_msk_cluster_this_v4_3_x_kraft" {
  count                  = var.prod ? 0 : 1
  source                 = "./.phi/modules/aws_msk_cluster-v4-3-x-kraft"
  users                  = ["app"]
  operator               = module.strimzi_operator.ready
  cluster_name           = "events"
  number_of_broker_nodes = var.prod ? 6 : 3

  broker_node_group_info = {
    instance_type = "kafka.m7g.large"

    storage_info = {
      ebs_storage_info = {
        volume_size = 100
      }
    }
  }

  configuration_info = {
    arn = module.aws_msk_configuration_this.arn
  }

  client_authentication = {
    sasl = {
      scram = true
    }
  }
}

output "brokers" {
  value = one(concat(module.aws_msk_cluster_this_v4_2_x_kraft[*].bootstrap_brokers_sasl_scram, module.aws_msk_cluster_this_v4_3_x_kraft[*].bootstrap_brokers_sasl_scram))
}
