# aws_ecs_service, as a Deployment, and a Service where the container has a port.

variable "name" {
  type = string
}

variable "task_definition" {
  description = "As the service task gives it."
  type        = any
}

variable "desired_count" {
  type = number
}

variable "namespace" {
  type = string
}

locals {
  labels    = { "app.kubernetes.io/name" = var.name }
  container = var.task_definition.containers[0]
  ports     = try(local.container.portMappings[*].containerPort, [])

  deployment = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = var.name, labels = local.labels }
    spec = {
      replicas = var.desired_count
      selector = { matchLabels = local.labels }
      template = {
        metadata = { labels = local.labels }
        spec = {
          containers = [{
            name      = local.container.name
            image     = local.container.image
            args      = local.container.command
            ports     = [for port in local.ports : { containerPort = port }]
            resources = { requests = var.task_definition.resources, limits = var.task_definition.resources }
            env = concat(
              [for one in local.container.environment : { name = one.name, value = one.value }],
              [for one in local.container.secrets : {
                name = one.name
                valueFrom = {
                  secretKeyRef = { name = split(":", one.valueFrom)[0], key = split(":", one.valueFrom)[1] }
                }
              }],
            )
          }]
        }
      }
    }
  }

  services = [for port in local.ports : {
    apiVersion = "v1"
    kind       = "Service"
    metadata   = { name = var.name, labels = local.labels }
    spec       = { selector = local.labels, ports = [{ port = port }] }
  }]
}

resource "helm_release" "app" {
  name             = var.name
  namespace        = var.namespace
  create_namespace = true
  chart            = "${path.module}/chart"
  values           = [yamlencode({ manifests = concat([local.deployment], local.services) })]
}
