variable "size" {
  type = number
}

# phi: input (terraform_data.big) — gate: And(Existing((var.size > 15)), Existing(var.label == "100")) — trace: m/main.tf:13-15 — compiler: tf-phi golden
module "app_xa267fd" {
  count  = (var.size > 15) && tostring(var.size) == "100" ? 1 : 0
  source = "./m-xa267fd"
  size   = var.size
  label  = var.size
}

# phi: input (terraform_data.big) — gate: And(Existing((var.size > 15)), Not(Existing(var.label == "100"))) — trace: m/main.tf:13-15 — compiler: tf-phi golden
module "app_x55adbe" {
  count  = !(var.size > 15) || tostring(var.size) == "100" ? 0 : 1
  source = "./m-x55adbe"
  size   = var.size
  label  = var.size
}

# phi: input (terraform_data.big) — gate: And(Not(Existing((var.size > 15))), Existing(var.label == "100")) — trace: m/main.tf:13-15 — compiler: tf-phi golden
module "app_x428b05" {
  count  = !(var.size > 15) && tostring(var.size) == "100" ? 1 : 0
  source = "./m-x428b05"
  size   = var.size
  label  = var.size
}

# phi: input (terraform_data.big) — gate: And(Not(Existing((var.size > 15))), Not(Existing(var.label == "100"))) — trace: m/main.tf:13-15 — compiler: tf-phi golden
module "app_x233721" {
  count  = (var.size > 15) || tostring(var.size) == "100" ? 0 : 1
  source = "./m-x233721"
  size   = var.size
  label  = var.size
}
