# aws_msk_configuration: nothing is made for it. Where AWS has an ARN stand the properties themselves, which the cluster reads.

variable "name" {
  description = "The name, of which nothing is made."
  type        = string
}

variable "server_properties" {
  description = "The properties, which go to the config of the cluster that names this configuration."
  type        = string
}

output "arn" {
  description = "The properties, for the cluster."
  value       = var.server_properties
}

output "id" {
  description = "The same."
  value       = var.server_properties
}

output "name" {
  value = var.name
}

output "latest_revision" {
  value = 1
}

output "server_properties" {
  value = var.server_properties
}
