# A cluster of MSK with its configuration and satellites, on Strimzi; what the template's types don't name goes.
variable "prod" {
  type = bool
}

resource "aws_security_group" "kafka" {
  name = "kafka"
}

resource "aws_msk_configuration" "this" {
  name              = "events"
  kafka_versions    = ["4.2.x.kraft", "4.3.x.kraft"]
  server_properties = <<-EOT
    auto.create.topics.enable = true
    num = 1
    retention = 2
  EOT
}

resource "aws_msk_cluster" "this" {
  cluster_name           = "events"
  kafka_version          = var.prod ? "4.2.x.kraft" : "4.3.x.kraft"
  number_of_broker_nodes = var.prod ? 6 : 3
  enhanced_monitoring    = "PER_BROKER"

  broker_node_group_info {
    instance_type   = "kafka.m7g.large"
    client_subnets  = ["a", "b", "c"]
    security_groups = [aws_security_group.kafka.id]

    storage_info {
      ebs_storage_info {
        volume_size = 100
      }
    }
  }

  configuration_info {
    arn      = aws_msk_configuration.this.arn
    revision = aws_msk_configuration.this.latest_revision
  }

  client_authentication {
    sasl {
      scram = true
    }
  }
}

resource "aws_msk_scram_secret_association" "this" {
  cluster_arn     = aws_msk_cluster.this.arn
  secret_arn_list = ["arn:aws:secretsmanager:eu-central-1:123456789012:secret:AmazonMSK_app"]
}

output "brokers" {
  value = aws_msk_cluster.this.bootstrap_brokers_sasl_scram
}
