variable "cfg" {
  type = object({ version = string, size = number })

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["15", "16"], var.cfg.version), false)
    error_message = "cfg.version must be one of \"15\", \"16\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

variable "release" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["15", "16"], var.release), false)
    error_message = "release must be one of \"15\", \"16\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

data "external" "versions" {
  program = ["versions"]

  lifecycle {
    # phi: the values that are specialised
    postcondition {
      condition     = try(contains(["14.9", "15.4"], self.result.postgres), false)
      error_message = "data.external.versions.result.postgres must be one of \"14.9\", \"15.4\": only these are specialised. Add others to its universe in phi.hcl."
    }

    # phi: the values that are specialised
    postcondition {
      condition     = self.names == tolist(["a"]) || self.names == tolist(["b", "c"])
      error_message = "data.external.versions.names must be one of [\"a\"], [\"b\", \"c\"]: only these are specialised. Add others to its universe in phi.hcl."
    }
  }
}

# phi: input (terraform_data.attribute) — gate: Eq(var.cfg.version, "15") — trace: main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "attribute_v15" {
  count = var.cfg.version == "15" ? 1 : 0
  input = "15"
}

# phi: input (terraform_data.attribute) — gate: Eq(var.cfg.version, "16") — trace: main.tf:13-15 — compiler: tf-phi golden
resource "terraform_data" "attribute_v16" {
  count = var.cfg.version == "16" ? 1 : 0
  input = "16"
}

# phi: input (terraform_data.part) — gate: Eq(var.release, "15") — trace: main.tf:17-19 — compiler: tf-phi golden
resource "terraform_data" "part_v15_alpine" {
  count = var.release == "15" ? 1 : 0
  input = "15-alpine"
}

# phi: input (terraform_data.part) — gate: Eq(var.release, "16") — trace: main.tf:17-19 — compiler: tf-phi golden
resource "terraform_data" "part_v16_alpine" {
  count = var.release == "16" ? 1 : 0
  input = "16-alpine"
}

# phi: input (terraform_data.data) — gate: Eq(data.external.versions.result.postgres, "14.9") — trace: main.tf:21-23 — compiler: tf-phi golden
resource "terraform_data" "data_v14_9" {
  count = data.external.versions.result.postgres == "14.9" ? 1 : 0
  input = "14.9"
}

# phi: input (terraform_data.data) — gate: Eq(data.external.versions.result.postgres, "15.4") — trace: main.tf:21-23 — compiler: tf-phi golden
resource "terraform_data" "data_v15_4" {
  count = data.external.versions.result.postgres == "15.4" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.element) — gate: Eq(data.external.versions.names, ["a"]) — trace: main.tf:25-27 — compiler: tf-phi golden
resource "terraform_data" "element_a" {
  count = data.external.versions.names == tolist(["a"]) ? 1 : 0
  input = tolist(["a"])
}

# phi: input (terraform_data.element) — gate: Eq(data.external.versions.names, ["b", "c"]) — trace: main.tf:25-27 — compiler: tf-phi golden
resource "terraform_data" "element_b_c" {
  count = data.external.versions.names == tolist(["b", "c"]) ? 1 : 0
  input = tolist(["b", "c"])
}
