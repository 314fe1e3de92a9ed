variable "kind" {
  type = string
}

variable "env" {
  type = string
}

# phi: source (module.inner) — gate: Eq(var.kind, "a") — trace: outer/main.tf:9-12 — compiler: tf-phi golden
module "inner_a" {
  count  = var.kind == "a" ? 1 : 0
  source = "../outer/a-a"
  leaf   = var.env == "prod" ? "x" : "y"
}

# phi: source (module.inner) — gate: Eq(var.kind, "b") — trace: outer/main.tf:9-12 — compiler: tf-phi golden
module "inner_b" {
  count  = var.kind == "b" ? 1 : 0
  source = "../outer/b-b"
  leaf   = var.env == "prod" ? "x" : "y"
}
