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
}

module "m" {
  source = "./m"
  v      = var.on ? (var.env == "prod" ? "15" : "14") : (var.env == "prod" ? "15" : "14")
}
