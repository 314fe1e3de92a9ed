variable "env" {
  type    = string
  default = "dev"
}

variable "protect" {
  type    = bool
  default = false

  # phi: the values that are specialised
  validation {
    condition     = var.protect == false
    error_message = "protect must be false: only this value is specialised. Add others to its universe in phi.hcl."
  }
}

# phi: lifecycle.prevent_destroy (terraform_data.db) — gate: Existing(true) — trace: modules/db/main.tf:9-17 — compiler: tf-phi golden
module "app_prevent_destroy_false" {
  count  = var.protect == false ? 1 : 0
  source = "./modules/app-prevent-destroy-false"
  env    = var.env
}
