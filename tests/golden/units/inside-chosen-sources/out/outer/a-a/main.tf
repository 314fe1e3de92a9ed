variable "leaf" {
  type = string
}

# phi: source (module.leaf) — gate: Eq(var.leaf, "x") — trace: outer/a/main.tf:5-8 — compiler: tf-phi golden
module "leaf_leaf_x" {
  count  = var.leaf == "x" ? 1 : 0
  source = "../../leaf-x-leaf-x"
}

# phi: source (module.leaf) — gate: Eq(var.leaf, "y") — trace: outer/a/main.tf:5-8 — compiler: tf-phi golden
module "leaf_leaf_y" {
  count  = var.leaf == "y" ? 1 : 0
  source = "../../leaf-y-leaf-y"
}
