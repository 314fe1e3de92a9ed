variable "v1" {
  type = string
  validation {
    condition = contains(["a", "b"], var.v1)
    error_message = "Not valid."
  }
}
variable "v2" {
  type = string
  validation {
    condition = contains(["x", "y"], var.v2)
    error_message = "Not valid."
  }
}
module "c" {
  source = "./m"
  count = startswith(var.v2, "a") ? 1 : 0
  p = var.v1
}
module "d" {
  source = "./m"
  count = 0
  p = var.v1
}
module "e" {
  source = "./m"
  count = startswith(var.v2, "x") ? 1 : 0
  p = var.v1
}
# phi: input (terraform_data.c) — gate: Existing(true) — trace: main.tf:30-32 — compiler: tf-phi golden
resource "terraform_data" "c" {
  input = "none"
}
# phi: input (terraform_data.d) — gate: Existing(true) — trace: main.tf:33-35 — compiler: tf-phi golden
resource "terraform_data" "d" {
  input = "none"
}
# phi: input (terraform_data.e) — gate: And(Existing(startswith(var.v2, "x")), Eq(var.v1, "a")) — trace: main.tf:36-38 — compiler: tf-phi golden
resource "terraform_data" "e_a" {
  count = var.v2 == "x" && var.v1 == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.e) — gate: And(Existing(startswith(var.v2, "x")), Eq(var.v1, "b")) — trace: main.tf:36-38 — compiler: tf-phi golden
resource "terraform_data" "e_b" {
  count = var.v2 == "x" && var.v1 == "b" ? 1 : 0
  input = "b"
}

# phi: input (terraform_data.e) — gate: Not(Existing(startswith(var.v2, "x"))) — trace: main.tf:36-38 — compiler: tf-phi golden
resource "terraform_data" "e_none" {
  count = var.v2 == "y" ? 1 : 0
  input = "none"
}
