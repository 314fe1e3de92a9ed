# The first of the rules that says anything counts, from the top of this file to its end.
variable "listed" {
  type    = string
  default = "listed"
  validation {
    condition     = contains(["listed", "validated"], var.listed)
    error_message = "listed or validated."
  }

  # phi: the values that are specialised
  validation {
    condition     = var.listed == "listed"
    error_message = "listed must be \"listed\": only this value is specialised. Add others to its universe in phi.hcl."
  }
}

variable "validated" {
  type    = string
  default = "validated"
  validation {
    condition     = contains(["validated", "environment"], var.validated)
    error_message = "validated or environment."
  }
}

variable "supplied" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = var.supplied == "supplied"
    error_message = "supplied must be \"supplied\": only this value is specialised. Add others to its universe in phi.hcl."
  }
}

# An environment's value, and the default beside it.
variable "environment" {
  type    = string
  default = "default"

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["environment", "default"], var.environment), false)
    error_message = "environment must be one of \"environment\", \"default\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# No environment has false.
variable "meant" {
  type     = bool
  nullable = false

  # phi: the values that are specialised
  validation {
    condition     = var.meant == true
    error_message = "meant must be true: only this value is specialised. Add others to its universe in phi.hcl."
  }
}

variable "flag" {
  type    = bool
  default = true
}

variable "default" {
  type    = string
  default = "default"

  # phi: the values that are specialised
  validation {
    condition     = var.default == "default"
    error_message = "default must be \"default\": only the default is specialised. List other values in phi.hcl."
  }
}

# phi: input (terraform_data.listed) — gate: Existing(true) — trace: main.tf:46-48 — compiler: tf-phi golden
resource "terraform_data" "listed" {
  input = "listed"
}

# phi: input (terraform_data.validated) — gate: Eq(var.validated, "environment") — trace: main.tf:50-52 — compiler: tf-phi golden
resource "terraform_data" "validated_environment" {
  count = var.validated == "environment" ? 1 : 0
  input = "environment"
}

# phi: input (terraform_data.validated) — gate: Eq(var.validated, "validated") — trace: main.tf:50-52 — compiler: tf-phi golden
resource "terraform_data" "validated_validated" {
  count = var.validated == "validated" ? 1 : 0
  input = "validated"
}

# phi: triggers_replace (terraform_data.supplied) — gate: Existing(true) — trace: main.tf:54-56 — compiler: tf-phi golden
resource "terraform_data" "supplied" {
  triggers_replace = "supplied"
}

# phi: input (terraform_data.environment) — gate: Eq(var.environment, "environment") — trace: main.tf:58-60 — compiler: tf-phi golden
resource "terraform_data" "environment_environment" {
  count = var.environment == "environment" ? 1 : 0
  input = "environment"
}

# phi: input (terraform_data.environment) — gate: Eq(var.environment, "default") — trace: main.tf:58-60 — compiler: tf-phi golden
resource "terraform_data" "environment_default" {
  count = var.environment == "default" ? 1 : 0
  input = "default"
}

# phi: input (terraform_data.meant) — gate: Existing(true) — trace: main.tf:62-64 — compiler: tf-phi golden
resource "terraform_data" "meant" {
  input = true
}

# phi: input (terraform_data.flag) — gate: Existing(var.flag) — trace: main.tf:66-68 — compiler: tf-phi golden
resource "terraform_data" "flag_input_true" {
  count = var.flag ? 1 : 0
  input = true
}

# phi: input (terraform_data.flag) — gate: Not(Existing(var.flag)) — trace: main.tf:66-68 — compiler: tf-phi golden
resource "terraform_data" "flag_input_false" {
  count = var.flag ? 0 : 1
  input = false
}

# phi: input (terraform_data.default) — gate: Existing(true) — trace: main.tf:70-72 — compiler: tf-phi golden
resource "terraform_data" "default" {
  input = "default"
}
