variable "pg" {
  type    = string
  default = "15"

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["16", "15"], var.pg), false)
    error_message = "pg must be one of \"16\", \"15\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "cfg" {
  type = object({
    version = string
    size    = number
  })
  default = {
    version = "1.0"
    size    = 10
  }

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["2.0", "1.0"], var.cfg.version), false)
    error_message = "cfg.version must be one of \"2.0\", \"1.0\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "versions" {
  type = map(string)

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["7", "6"], var.versions["redis"]), false)
    error_message = "versions[\"redis\"] must be one of \"7\", \"6\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

# phi: input (terraform_data.engine) — gate: Eq(var.pg, "16") — trace: main.tf:21-23 — compiler: tf-phi golden
resource "terraform_data" "engine_v16" {
  count = var.pg == "16" ? 1 : 0
  input = "16"
}

# phi: input (terraform_data.engine) — gate: Eq(var.pg, "15") — trace: main.tf:21-23 — compiler: tf-phi golden
resource "terraform_data" "engine_v15" {
  count = var.pg == "15" ? 1 : 0
  input = "15"
}

# phi: input (terraform_data.attribute) — gate: Eq(var.cfg.version, "2.0") — trace: main.tf:25-27 — compiler: tf-phi golden
resource "terraform_data" "attribute_v2_0" {
  count = var.cfg.version == "2.0" ? 1 : 0
  input = "2.0"
}

# phi: input (terraform_data.attribute) — gate: Eq(var.cfg.version, "1.0") — trace: main.tf:25-27 — compiler: tf-phi golden
resource "terraform_data" "attribute_v1_0" {
  count = var.cfg.version == "1.0" ? 1 : 0
  input = "1.0"
}

# phi: input (terraform_data.key) — gate: Eq(var.versions["redis"], "7") — trace: main.tf:29-31 — compiler: tf-phi golden
resource "terraform_data" "key_v7" {
  count = var.versions["redis"] == "7" ? 1 : 0
  input = "7"
}

# phi: input (terraform_data.key) — gate: Eq(var.versions["redis"], "6") — trace: main.tf:29-31 — compiler: tf-phi golden
resource "terraform_data" "key_v6" {
  count = var.versions["redis"] == "6" ? 1 : 0
  input = "6"
}
