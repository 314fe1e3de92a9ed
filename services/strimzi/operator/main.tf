# The operator of Strimzi, once for the whole cluster.

terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = ">= 2.17.0"
    }
  }
}

variable "mirror" {
  description = "The registry that images and charts come from: charts/strimzi-kafka-operator, strimzi/operator and strimzi/kafka below it."
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
  default     = "strimzi"
  nullable    = false
}

locals {
  values = {
    watchAnyNamespace    = true
    defaultImageRegistry = coalesce(var.mirror, "quay.io")
    defaultImageTag      = "1.2.0"
    image                = { imagePullSecrets = var.image_pull_secret == null ? [] : [{ name = var.image_pull_secret }] }
    extraEnvs            = [{ name = "STRIMZI_POD_SECURITY_PROVIDER_CLASS", value = "restricted" }]
  }
}

resource "helm_release" "operator" {
  name             = "strimzi"
  namespace        = var.operator_namespace
  create_namespace = true
  repository       = var.mirror == null ? "oci://quay.io/strimzi-helm" : "oci://${var.mirror}/charts"
  chart            = "strimzi-kafka-operator"
  version          = "1.2.0"
  values           = [yamlencode(local.values)]
}

output "ready" {
  description = "Known once the operator is there."
  value       = helm_release.operator.id
}
