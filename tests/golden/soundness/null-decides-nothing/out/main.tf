# A condition that gives the same in both arms decides nothing: null, which Terraform refuses there, is kept out by a validation, and no gate asks for it.
variable "env" {
  type    = string
  default = "dev"

  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "Must be dev or prod."
  }
}

variable "on" {
  type    = bool
  default = true

  # phi: the values that are specialised
  validation {
    condition     = var.on != null
    error_message = "on must be true or false: null is not specialised. Give it a `default = null` if it is meant."
  }
}

# phi: input (terraform_data.db) — gate: Or(And(Existing(var.on), Existing(var.env == "prod")), And(Not(Existing(var.on)), Existing(var.env == "prod"))) — trace: m/main.tf:5-7 — compiler: tf-phi golden
module "m_v15" {
  count  = var.env == "prod" ? 1 : 0
  source = "./m-v15"
}

# phi: input (terraform_data.db) — gate: input == "14" — trace: m/main.tf:5-7 — compiler: tf-phi golden
module "m_v14" {
  count  = var.env == "dev" ? 1 : 0
  source = "./m-v14"
}
