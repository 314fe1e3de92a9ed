variable "size" {
  type = number
}

# phi: input (terraform_data.big) — gate: And(Existing((var.size > 15)), Existing(var.label == "100")) — trace: m/main.tf:13-15 — compiler: tf-phi golden
module "app_big_true_named_true" {
  count  = (var.size > 15) && tostring(var.size) == "100" ? 1 : 0
  source = "./m-big-true-named-true"
  size   = var.size
}

# phi: input (terraform_data.big) — gate: And(Existing((var.size > 15)), Not(Existing(var.label == "100"))) — trace: m/main.tf:13-15 — compiler: tf-phi golden
module "app_big_true_named_false" {
  count  = !(var.size > 15) || tostring(var.size) == "100" ? 0 : 1
  source = "./m-big-true-named-false"
  size   = var.size
}

# phi: input (terraform_data.big) — gate: And(Not(Existing((var.size > 15))), Existing(var.label == "100")) — trace: m/main.tf:13-15 — compiler: tf-phi golden
module "app_big_false_named_true" {
  count  = !(var.size > 15) && tostring(var.size) == "100" ? 1 : 0
  source = "./m-big-false-named-true"
  size   = var.size
}

# phi: input (terraform_data.big) — gate: And(Not(Existing((var.size > 15))), Not(Existing(var.label == "100"))) — trace: m/main.tf:13-15 — compiler: tf-phi golden
module "app_big_false_named_false" {
  count  = (var.size > 15) || tostring(var.size) == "100" ? 0 : 1
  source = "./m-big-false-named-false"
  size   = var.size
}
