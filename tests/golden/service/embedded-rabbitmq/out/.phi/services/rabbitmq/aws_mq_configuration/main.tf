# aws_mq_configuration with engine_type = "RabbitMQ": nothing is made for it. Where AWS has an id stand the lines themselves, which
# the broker reads.

variable "name" {
  description = "The name, of which nothing is made."
  type        = string
}

variable "data" {
  description = "Lines of rabbitmq.conf, for the broker that names this configuration."
  type        = string
}

output "id" {
  description = "The lines, for the broker."
  value       = var.data
}

output "name" {
  value = var.name
}

output "latest_revision" {
  value = 1
}

output "data" {
  value = var.data
}
