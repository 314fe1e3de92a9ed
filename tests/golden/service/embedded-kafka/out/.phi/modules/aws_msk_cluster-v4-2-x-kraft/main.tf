# aws_msk_cluster, on Strimzi.

variable "cluster_name" {
  description = "The name of the cluster and of everything that belongs to it."
  type        = string
}

variable "number_of_broker_nodes" {
  description = "How many brokers there are."
  type        = number
}

variable "broker_node_group_info" {
  description = "Of it instance_type decides what a broker gets of CPU and memory, and storage_info.ebs_storage_info.volume_size the size of its volume in GiB."
  type = object({
    instance_type     = string
    storage_info      = optional(object({ ebs_storage_info = optional(object({ volume_size = optional(number) })) }))
    connectivity_info = optional(object({ public_access = optional(object({ type = optional(string) })) }))
  })

  validation {
    condition     = try(coalesce(var.broker_node_group_info.connectivity_info.public_access.type, "DISABLED"), "DISABLED") == "DISABLED"
    error_message = "The brokers are reachable within the cluster alone. Leave public_access out, or set its type to DISABLED."
  }
}

variable "client_authentication" {
  description = "Of it sasl.scram makes a listener on port 9096, tls wants certificates of clients on port 9094, and unauthenticated wants none."
  type = object({
    unauthenticated = optional(bool)
    sasl            = optional(object({ scram = optional(bool) }))
    tls             = optional(object({}))
  })
  default = null

  validation {
    condition     = try(var.client_authentication.tls, null) == null || try(var.client_authentication.unauthenticated, null) != true
    error_message = "A listener of Strimzi asks all clients for a certificate or none. Choose between client_authentication.tls and unauthenticated."
  }
}

variable "encryption_info" {
  description = "Of it encryption_in_transit.client_broker decides whether there are listeners on ports 9094 (TLS) and 9092 (plain). Clients find the authority of the brokers in the secret NAME-cluster-ca-cert."
  type        = object({ encryption_in_transit = optional(object({ client_broker = optional(string) })) })
  default     = null
}

variable "configuration_info" {
  description = "The properties of the aws_msk_configuration whose arn it names."
  type        = object({ arn = string })
  default     = null

  validation {
    condition     = !startswith(try(var.configuration_info.arn, ""), "arn:")
    error_message = "A configuration in AWS can't be read. Name the arn of an aws_msk_configuration of the same tree, or give its properties as an input of the form factor: config."
  }
}

variable "storage_mode" {
  description = "Only LOCAL is possible."
  type        = string
  default     = "LOCAL"
  nullable    = false

  validation {
    condition     = var.storage_mode == "LOCAL"
    error_message = "The brokers keep everything on their volumes. Leave storage_mode out, and give the volumes the size that they need."
  }
}

variable "config" {
  description = "More properties of Kafka, which go before those of configuration_info."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "users" {
  description = "Names of users. Each gets a secret of its name, with a password or a certificate, in the namespace."
  type        = list(string)
  default     = []
  nullable    = false
}

variable "storage" {
  description = "The size of a broker's volume in GiB where the resource says none."
  type        = number
  default     = null
}

variable "storage_class" {
  description = "The storage class; otherwise the cluster's default."
  type        = string
  default     = null
}

variable "namespace" {
  description = "The namespace."
  type        = string
  default     = "default"
  nullable    = false
}

variable "operator" {
  description = "What says that the operator is there."
  type        = string
  default     = null
}

locals {
  scram   = try(var.client_authentication.sasl.scram, null) == true
  mutual  = try(var.client_authentication.tls, null) != null
  open    = coalesce(try(var.client_authentication.unauthenticated, null), !local.scram && !local.mutual)
  transit = coalesce(try(var.encryption_info.encryption_in_transit.client_broker, null), "TLS")
  volume  = try(var.broker_node_group_info.storage_info.ebs_storage_info.volume_size, null)

  # Lines of name = value.
  text       = try(coalesce(var.configuration_info.arn, ""), "")
  lines      = regexall("(?m)^[ \t]*([A-Za-z0-9._-]+)[ \t]*=[ \t]*(.*?)[ \t\r]*$", local.text)
  grouped    = { for line in local.lines : line[0] => line[1]... }
  properties = { for name, values in local.grouped : name => values[length(values) - 1] }
}

module "cluster" {
  source = "../cluster-v4-2-x-kraft"

  name          = var.cluster_name
  brokers       = var.number_of_broker_nodes
  instance_type = var.broker_node_group_info.instance_type
  storage       = local.volume == null ? var.storage : local.volume
  plain         = local.open && local.transit != "TLS"
  tls           = local.mutual || local.open && local.transit != "PLAINTEXT"
  mutual        = local.mutual
  scram         = local.scram
  config        = merge(local.properties, var.config)
  users         = var.users
  storage_class = var.storage_class
  namespace     = var.namespace
  operator      = var.operator
}

output "bootstrap_brokers" {
  value = module.cluster.plain
}

output "bootstrap_brokers_tls" {
  value = module.cluster.tls
}

output "bootstrap_brokers_sasl_scram" {
  value = module.cluster.scram
}

output "cluster_name" {
  value = var.cluster_name
}

output "kafka_version" {
  value = "4.2.x.kraft"
}

output "number_of_broker_nodes" {
  value = var.number_of_broker_nodes
}
