# A version that the operator has no image for any more.
resource "aws_msk_cluster" "old" {
  cluster_name           = "old"
  kafka_version          = "3.6.0"
  number_of_broker_nodes = 3

  broker_node_group_info {
    instance_type = "kafka.m7g.large"
  }
}
