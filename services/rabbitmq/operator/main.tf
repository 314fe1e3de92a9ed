# The operator of RabbitMQ, once for the whole cluster. Its makers publish no chart, and a manifest that needs cert-manager for
# admission webhooks. So it is installed here from manifests of our own, without these webhooks: what they would fill in, the
# clusters of this service say themselves.

terraform {
  required_providers {
    helm = {
      source  = "hashicorp/helm"
      version = ">= 2.17.0"
    }
  }
}

variable "mirror" {
  description = "The registry that images come from: rabbitmq/cluster-operator below it."
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
  default     = "rabbitmq-system"
  nullable    = false
}

locals {
  name    = "rabbitmq-cluster-operator"
  version = "2.22.3"
  labels  = { "app.kubernetes.io/name" = local.name, "app.kubernetes.io/part-of" = "rabbitmq" }
  subject = { kind = "ServiceAccount", name = local.name, namespace = var.operator_namespace }
  pull    = var.image_pull_secret == null ? {} : { imagePullSecrets = [{ name = var.image_pull_secret }] }

  account = {
    apiVersion = "v1"
    kind       = "ServiceAccount"
    metadata   = { name = local.name, labels = local.labels }
  }
  # The operator grants the pods of a cluster to read endpoints and to make events, so it has to have these rights itself.
  role = {
    apiVersion = "rbac.authorization.k8s.io/v1"
    kind       = "ClusterRole"
    metadata   = { name = local.name, labels = local.labels }
    rules = [
      {
        apiGroups = [""]
        resources = ["configmaps", "persistentvolumeclaims", "secrets", "serviceaccounts", "services"]
        verbs     = ["create", "get", "list", "update", "watch"]
      },
      { apiGroups = [""], resources = ["endpoints"], verbs = ["get", "list", "watch"] },
      { apiGroups = [""], resources = ["events"], verbs = ["create", "get", "patch"] },
      { apiGroups = [""], resources = ["pods"], verbs = ["get", "list", "update", "watch"] },
      { apiGroups = [""], resources = ["pods/exec"], verbs = ["create"] },
      { apiGroups = ["apps"], resources = ["statefulsets"], verbs = ["create", "delete", "get", "list", "update", "watch"] },
      { apiGroups = ["discovery.k8s.io"], resources = ["endpointslices"], verbs = ["get", "list", "watch"] },
      { apiGroups = ["rabbitmq.com"], resources = ["rabbitmqclusters"], verbs = ["create", "get", "list", "update", "watch"] },
      { apiGroups = ["rabbitmq.com"], resources = ["rabbitmqclusters/finalizers"], verbs = ["update"] },
      { apiGroups = ["rabbitmq.com"], resources = ["rabbitmqclusters/status"], verbs = ["get", "patch", "update"] },
      {
        apiGroups = ["rbac.authorization.k8s.io"]
        resources = ["rolebindings", "roles"]
        verbs     = ["create", "delete", "get", "list", "update", "watch"]
      },
    ]
  }
  binding = {
    apiVersion = "rbac.authorization.k8s.io/v1"
    kind       = "ClusterRoleBinding"
    metadata   = { name = local.name, labels = local.labels }
    roleRef    = { apiGroup = "rbac.authorization.k8s.io", kind = "ClusterRole", name = local.name }
    subjects   = [local.subject]
  }
  # One of several pods leads.
  election = {
    apiVersion = "rbac.authorization.k8s.io/v1"
    kind       = "Role"
    metadata   = { name = "${local.name}-election", labels = local.labels }
    rules = [
      { apiGroups = [""], resources = ["configmaps"], verbs = ["create", "delete", "get", "list", "patch", "update", "watch"] },
      { apiGroups = ["coordination.k8s.io"], resources = ["leases"], verbs = ["create", "delete", "get", "list", "patch", "update", "watch"] },
      { apiGroups = [""], resources = ["events"], verbs = ["create", "patch"] },
    ]
  }
  elected = {
    apiVersion = "rbac.authorization.k8s.io/v1"
    kind       = "RoleBinding"
    metadata   = { name = "${local.name}-election", labels = local.labels }
    roleRef    = { apiGroup = "rbac.authorization.k8s.io", kind = "Role", name = "${local.name}-election" }
    subjects   = [local.subject]
  }
  container = {
    name    = "operator"
    image   = "${coalesce(var.mirror, "ghcr.io")}/rabbitmq/cluster-operator:${local.version}"
    command = ["/manager"]
    args    = ["--health-probe-bind-address=:8081"]
    env = [
      { name = "OPERATOR_NAMESPACE", valueFrom = { fieldRef = { fieldPath = "metadata.namespace" } } },
      { name = "ENABLE_WEBHOOKS", value = "false" },
    ]
    ports          = [{ name = "metrics", containerPort = 8080, protocol = "TCP" }]
    livenessProbe  = { httpGet = { path = "/healthz", port = 8081 }, initialDelaySeconds = 15, periodSeconds = 20 }
    readinessProbe = { httpGet = { path = "/readyz", port = 8081 }, initialDelaySeconds = 5, periodSeconds = 10 }
    resources = {
      requests = { cpu = "200m", memory = "500Mi" }
      limits   = { cpu = "200m", memory = "500Mi" }
    }
    securityContext = {
      allowPrivilegeEscalation = false
      capabilities             = { drop = ["ALL"] }
      runAsNonRoot             = true
      seccompProfile           = { type = "RuntimeDefault" }
    }
  }
  deployment = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = local.name, labels = local.labels }
    spec = {
      replicas = 1
      selector = { matchLabels = { "app.kubernetes.io/name" = local.name } }
      template = {
        metadata = { labels = local.labels }
        spec = merge(local.pull, {
          serviceAccountName            = local.name
          terminationGracePeriodSeconds = 10
          securityContext               = { runAsNonRoot = true, seccompProfile = { type = "RuntimeDefault" } }
          containers                    = [local.container]
        })
      }
    }
  }
}

resource "helm_release" "operator" {
  name             = local.name
  namespace        = var.operator_namespace
  create_namespace = true
  chart            = "${path.module}/chart"
  values           = [yamlencode({ manifests = [local.account, local.role, local.binding, local.election, local.elected, local.deployment] })]
}

output "ready" {
  description = "Known once the operator is there."
  value       = helm_release.operator.id
}
