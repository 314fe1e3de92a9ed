variable "release" {
  type = string
}

provider "aws" {
  region = "eu-west-1"
}

# phi: input (terraform_data.db) — gate: Eq(var.release, "15.4") — trace: db/main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  count = var.release == "15.4" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.db) — gate: Eq(var.release, "16.2") — trace: db/main.tf:9-11 — compiler: tf-phi golden
resource "terraform_data" "db_v16_2" {
  count = var.release == "16.2" ? 1 : 0
  input = "16.2"
}
