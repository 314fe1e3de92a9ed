# A login that Kafka on Kubernetes doesn't know, and attributes without an equal.
resource "aws_msk_cluster" "app" {
  cluster_name           = "app"
  kafka_version          = "4.3.1"
  number_of_broker_nodes = 3

  broker_node_group_info {
    instance_type = "kafka.m7g.large"
  }

  client_authentication {
    sasl {
      iam = true
    }
  }
}

output "zookeeper" {
  value = [aws_msk_cluster.app.zookeeper_connect_string, aws_msk_cluster.app.arn]
}
