variable "allocated_storage" {
  type = number
}

locals {
  registry = "docker.io"
}

module "public" {
  source = "terraform-aws-modules/vpc/aws"
}

resource "helm_release" "chart" {
  name       = "pg"
  repository = "https://charts.example.com"
  chart      = "pg"
  values = [yamlencode({
    image   = "postgres:17"
    other   = { repository = "registry.example/own", tag = "1" }
    sidecar = { image = "${local.registry}/library/busybox:1.36" }
  })]
}

resource "helm_release" "mirrored" {
  name       = "pg"
  repository = "oci://registry.example/charts"
  chart      = "pg"
  values     = [yamlencode({ image = "registry.example/postgres:17" })]
}

resource "helm_release" "within" {
  name       = "pg"
  repository = "http://charts.tools.svc:8080/charts"
  chart      = "pg"
}

resource "helm_release" "disguised" {
  name       = "pg"
  repository = "https://charts.tools.svc@charts.example.org/charts"
  chart      = "pg"
}
