# A broker of Amazon MQ with its configuration, on RabbitMQ's operator; the password stays out, and a secret has it.
variable "cluster" {
  type = bool
}

resource "random_password" "broker" {
  length = 20
}

resource "aws_mq_configuration" "this" {
  name           = "jobs"
  engine_type    = "RabbitMQ"
  engine_version = "4.2"
  data           = "consumer_timeout = 1800000"
}

resource "aws_mq_broker" "this" {
  broker_name        = "jobs"
  engine_type        = "RabbitMQ"
  engine_version     = "4.2"
  host_instance_type = "mq.m7g.medium"
  deployment_mode    = var.cluster ? "CLUSTER_MULTI_AZ" : "SINGLE_INSTANCE"

  configuration {
    id       = aws_mq_configuration.this.id
    revision = aws_mq_configuration.this.latest_revision
  }

  user {
    username = "app"
    password = random_password.broker.result
  }
}

output "endpoint" {
  value = aws_mq_broker.this.instances[0].endpoints[0]
}
