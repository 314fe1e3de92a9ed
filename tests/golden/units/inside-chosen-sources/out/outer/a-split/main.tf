variable "leaf" {
  type = string
}

# phi: source (module.leaf) — gate: Eq("../../leaf-${var.leaf}", "../../leaf-x") — trace: outer/a/main.tf:5-8 — compiler: tf-phi golden
module "leaf_leaf_x" {
  count  = "../../leaf-${var.leaf}" == "../../leaf-x" ? 1 : 0
  source = "../../leaf-x-leaf-x"
}

# phi: source (module.leaf) — gate: Eq("../../leaf-${var.leaf}", "../../leaf-y") — trace: outer/a/main.tf:5-8 — compiler: tf-phi golden
module "leaf_leaf_y" {
  count  = "../../leaf-${var.leaf}" == "../../leaf-y" ? 1 : 0
  source = "../../leaf-y-leaf-y"
}
