variable "v2" {
  type = string
  validation {
    condition     = contains(["1", "x y"], var.v2)
    error_message = "Not valid."
  }
}

# phi: input (terraform_data.r) — gate: Existing(var.v2 == "x y") — trace: mods/m/main.tf:9-11 — compiler: tf-phi golden
module "c_is_true" {
  count  = var.v2 == "x y" ? 1 : 0
  source = "./mods/m-is-true"
  key    = var.v2 == "x y" ? "true" : "1"
}

# phi: input (terraform_data.r) — gate: Not(Existing(var.v2 == "x y")) — trace: mods/m/main.tf:9-11 — compiler: tf-phi golden
module "c_is_1" {
  count  = var.v2 == "x y" ? 0 : 1
  source = "./mods/m-is-1"
  key    = var.v2 == "x y" ? "true" : "1"
}
