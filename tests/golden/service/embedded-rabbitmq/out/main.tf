# A broker of Amazon MQ with its configuration, on RabbitMQ's operator; the password stays out, and a secret has it.
variable "cluster" {
  type = bool
}

resource "random_password" "broker" {
  length = 20
}

# phi: aws_mq_configuration.this — service: rabbitmq-configuration — form factor: on-prem
module "aws_mq_configuration_this" {
  source = "./.phi/services/rabbitmq/aws_mq_configuration"
  name   = "jobs"
  data   = "consumer_timeout = 1800000"
}

# phi: aws_mq_broker.this — service: rabbitmq — form factor: on-prem
module "aws_mq_broker_this" {
  source             = "./.phi/services/rabbitmq/aws_mq_broker"
  operator           = "installed"
  user_secret        = ""
  mirror             = "registry.example"
  broker_name        = "jobs"
  engine_version     = "4.2"
  host_instance_type = "mq.m7g.medium"
  deployment_mode    = var.cluster ? "CLUSTER_MULTI_AZ" : "SINGLE_INSTANCE"

  configuration = {
    id = module.aws_mq_configuration_this.id
  }

  user = {
    username = "app"
  }
}

output "endpoint" {
  value = module.aws_mq_broker_this.instances[0].endpoints[0]
}
