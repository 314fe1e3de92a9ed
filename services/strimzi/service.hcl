# Kafka: a cluster of Strimzi with KRaft, https://strimzi.io
# Operator and chart 1.2.0, Kafka 4.2 and 4.3.

service "strimzi" {
  replaces = "aws_msk_cluster"
  module   = "./aws_msk_cluster"
  operator = "./operator"
  posture  = "restricted"

  field "kafka_version" {
    universe  = ["4.2.0", "4.2.1", "4.3.0", "4.3.1"]
    accepts   = "4\\.[23]\\.x(\\.kraft)?"
    otherwise = "Strimzi 1.2 runs Kafka 4.2 and 4.3, both without ZooKeeper and for clients of Kafka 2.1 and later. The cluster starts empty in any case, so that the jump costs no migration of data, and is accepted by an input of the form factor."
  }

  charts = ["oci://quay.io/strimzi-helm/strimzi-kafka-operator:1.2.0"]
  images = [
    "quay.io/strimzi/operator:1.2.0",
    "quay.io/strimzi/kafka:1.2.0-kafka-4.2.0",
    "quay.io/strimzi/kafka:1.2.0-kafka-4.2.1",
    "quay.io/strimzi/kafka:1.2.0-kafka-4.3.0",
    "quay.io/strimzi/kafka:1.2.0-kafka-4.3.1",
  ]

  refuses = {
    "client_authentication.sasl.iam" = "Kafka on Kubernetes knows no IAM. Set client_authentication.sasl.scram, and name the users in the form factor's inputs: users."
  }

  ignores = {
    "broker_node_group_info.az_distribution"                                      = "The scheduler of Kubernetes places the pods."
    "broker_node_group_info.client_subnets"                                       = "A cluster of Kubernetes has a network of its own."
    "broker_node_group_info.connectivity_info.network_type"                       = "A cluster of Kubernetes has a network of its own."
    "broker_node_group_info.connectivity_info.vpc_connectivity"                   = "A cluster of Kubernetes has a network of its own."
    "broker_node_group_info.security_groups"                                      = "A cluster of Kubernetes has a network of its own."
    "broker_node_group_info.storage_info.ebs_storage_info.provisioned_throughput" = "The storage class decides."
    "client_authentication.tls.certificate_authority_arns"                        = "The operator has an authority of its own for clients; name them in the form factor's inputs: users."
    "configuration_info.revision"                                                 = "The configuration has the properties that are written."
    "encryption_info.encryption_at_rest_kms_key_arn"                              = "The storage class decides whether the volume is encrypted."
    "encryption_info.encryption_in_transit.in_cluster"                            = "Brokers always speak TLS with one another."
    enhanced_monitoring                                                           = "CloudWatch is AWS's."
    logging_info                                                                  = "Logs are those of the pods."
    open_monitoring                                                               = "The service exports no metrics."
    rebalancing                                                                   = "The service moves no partitions by itself."
    tags                                                                          = "Labels of Kubernetes allow fewer characters than tags of AWS."
    timeouts                                                                      = "Helm has a timeout of its own."
  }

  drops = {
    aws_msk_cluster_policy                  = "Kafka on Kubernetes knows no IAM."
    aws_msk_scram_secret_association        = "The operator makes the passwords. Name the users in the form factor's inputs: users."
    aws_msk_single_scram_secret_association = "The operator makes the passwords. Name the users in the form factor's inputs: users."
    aws_msk_vpc_connection                  = "A cluster of Kubernetes has a network of its own."
  }
}

service "strimzi-configuration" {
  replaces = "aws_msk_configuration"
  module   = "./aws_msk_configuration"
  posture  = "restricted"

  ignores = {
    description    = "Nothing is made of a configuration but what the cluster says."
    kafka_versions = "The version is the cluster's."
  }
}
