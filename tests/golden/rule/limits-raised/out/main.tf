variable "k" {
  type = string

  # phi: the values that are specialised
  validation {
    condition     = try(contains(["k0", "k1", "k10", "k11", "k12", "k13", "k14", "k15", "k16", "k17", "k18", "k19", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"], var.k), false)
    error_message = "k must be one of \"k0\", \"k1\", \"k10\", \"k11\", \"k12\", \"k13\", \"k14\", \"k15\", \"k16\", \"k17\", \"k18\", \"k19\", \"k2\", \"k3\", \"k4\", \"k5\", \"k6\", \"k7\", \"k8\", \"k9\": only these are specialised. Add others to its universe in phi.hcl."
  }
}

locals {
  versions = { for i in range(20) : "k${i}" => "v${i}" }
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k0") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v0" {
  count = var.k == "k0" ? 1 : 0
  input = "v0"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k1") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v1" {
  count = var.k == "k1" ? 1 : 0
  input = "v1"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k10") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v10" {
  count = var.k == "k10" ? 1 : 0
  input = "v10"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k11") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v11" {
  count = var.k == "k11" ? 1 : 0
  input = "v11"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k12") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v12" {
  count = var.k == "k12" ? 1 : 0
  input = "v12"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k13") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v13" {
  count = var.k == "k13" ? 1 : 0
  input = "v13"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k14") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v14" {
  count = var.k == "k14" ? 1 : 0
  input = "v14"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k15") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v15" {
  count = var.k == "k15" ? 1 : 0
  input = "v15"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k16") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v16" {
  count = var.k == "k16" ? 1 : 0
  input = "v16"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k17") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v17" {
  count = var.k == "k17" ? 1 : 0
  input = "v17"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k18") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v18" {
  count = var.k == "k18" ? 1 : 0
  input = "v18"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k19") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v19" {
  count = var.k == "k19" ? 1 : 0
  input = "v19"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k2") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v2" {
  count = var.k == "k2" ? 1 : 0
  input = "v2"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k3") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v3" {
  count = var.k == "k3" ? 1 : 0
  input = "v3"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k4") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v4" {
  count = var.k == "k4" ? 1 : 0
  input = "v4"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k5") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v5" {
  count = var.k == "k5" ? 1 : 0
  input = "v5"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k6") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v6" {
  count = var.k == "k6" ? 1 : 0
  input = "v6"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k7") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v7" {
  count = var.k == "k7" ? 1 : 0
  input = "v7"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k8") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v8" {
  count = var.k == "k8" ? 1 : 0
  input = "v8"
}

# phi: input (terraform_data.db) — gate: Eq(var.k, "k9") — trace: main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v9" {
  count = var.k == "k9" ? 1 : 0
  input = "v9"
}
