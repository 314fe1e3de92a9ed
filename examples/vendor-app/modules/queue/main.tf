variable "name" {
  type = string
}

variable "clustered" {
  type    = bool
  default = false
}

variable "password" {
  type      = string
  sensitive = true
}

variable "subnet_ids" {
  type = list(string)
}

resource "aws_mq_broker" "this" {
  broker_name        = var.name
  engine_type        = "RabbitMQ"
  engine_version     = "4.2"
  host_instance_type = var.clustered ? "mq.m5.large" : "mq.t3.micro"
  deployment_mode    = var.clustered ? "CLUSTER_MULTI_AZ" : "SINGLE_INSTANCE"
  subnet_ids         = var.clustered ? var.subnet_ids : [var.subnet_ids[0]]

  auto_minor_version_upgrade = true

  user {
    username = "app"
    password = var.password
  }
}

output "endpoint" {
  value = aws_mq_broker.this.instances[0].endpoints[0]
}
