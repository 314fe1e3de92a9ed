# The operator of CloudNativePG, once for the whole cluster.

terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = ">= 2.17.0"
    }
  }
}

variable "mirror" {
  description = "The registry that images and charts come from: charts/cloudnative-pg and cloudnative-pg/cloudnative-pg below it."
  type        = string
  default     = null
}

variable "image_pull_secret" {
  description = "The secret for the registry, in the operator's namespace."
  type        = string
  default     = null
}

variable "operator_namespace" {
  description = "The operator's namespace."
  type        = string
  default     = "cnpg-system"
  nullable    = false
}

locals {
  values = {
    image            = { repository = "${coalesce(var.mirror, "ghcr.io")}/cloudnative-pg/cloudnative-pg", tag = "1.30.0" }
    imagePullSecrets = var.image_pull_secret == null ? [] : [{ name = var.image_pull_secret }]
  }
}

resource "helm_release" "operator" {
  name             = "cloudnative-pg"
  namespace        = var.operator_namespace
  create_namespace = true
  repository       = var.mirror == null ? "https://cloudnative-pg.github.io/charts" : "oci://${var.mirror}/charts"
  chart            = "cloudnative-pg"
  version          = "0.29.0"
  values           = [yamlencode(local.values)]
}

output "ready" {
  description = "Known once the operator is there."
  value       = helm_release.operator.id
}
