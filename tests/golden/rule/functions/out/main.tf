variable "env" {
  type = string
  validation {
    condition     = contains(["prod", "test"], var.env)
    error_message = "prod or test."
  }
}

variable "extra" {
  type    = string
  default = null

  # phi: the values that are specialised
  validation {
    condition     = var.extra == null
    error_message = "extra must be null: only the default is specialised. List other values in phi.hcl."
  }
}

# phi: input (terraform_data.each_element) — gate: Eq(var.env, "prod") — trace: main.tf:14-16 — compiler: tf-phi golden
resource "terraform_data" "each_element_PROD" {
  count = var.env == "prod" ? 1 : 0
  input = "PROD"
}

# phi: input (terraform_data.each_element) — gate: Eq(var.env, "test") — trace: main.tf:14-16 — compiler: tf-phi golden
resource "terraform_data" "each_element_TEST" {
  count = var.env == "test" ? 1 : 0
  input = "TEST"
}

# phi: input (terraform_data.cross) — gate: Eq(var.env, "prod") — trace: main.tf:18-20 — compiler: tf-phi golden
resource "terraform_data" "cross_db_prod" {
  count = var.env == "prod" ? 1 : 0
  input = "db-prod"
}

# phi: input (terraform_data.cross) — gate: Eq(var.env, "test") — trace: main.tf:18-20 — compiler: tf-phi golden
resource "terraform_data" "cross_db_test" {
  count = var.env == "test" ? 1 : 0
  input = "db-test"
}

# phi: input (terraform_data.selected) — gate: Eq(var.env, "prod") — trace: main.tf:22-24 — compiler: tf-phi golden
resource "terraform_data" "selected_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.selected) — gate: Eq(var.env, "test") — trace: main.tf:22-24 — compiler: tf-phi golden
resource "terraform_data" "selected_v16_2" {
  count = var.env == "test" ? 1 : 0
  input = "16.2"
}

# phi: input (terraform_data.arms) — gate: Eq(var.env, "prod") — trace: main.tf:26-28 — compiler: tf-phi golden
resource "terraform_data" "arms_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.arms) — gate: Eq(var.env, "test") — trace: main.tf:26-28 — compiler: tf-phi golden
resource "terraform_data" "arms_v14_9" {
  count = var.env == "test" ? 1 : 0
  input = "14.9"
}

# phi: input (terraform_data.predicate) — gate: Existing(startswith(var.env, "p")) — trace: main.tf:30-32 — compiler: tf-phi golden
resource "terraform_data" "predicate_v15_4" {
  count = startswith(var.env, "p") ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.predicate) — gate: Not(Existing(startswith(var.env, "p"))) — trace: main.tf:30-32 — compiler: tf-phi golden
resource "terraform_data" "predicate_v16_2" {
  count = startswith(var.env, "p") ? 0 : 1
  input = "16.2"
}

# phi: input (terraform_data.decoded) — gate: Eq(var.env, "prod") — trace: main.tf:34-36 — compiler: tf-phi golden
resource "terraform_data" "decoded_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.decoded) — gate: Eq(var.env, "test") — trace: main.tf:34-36 — compiler: tf-phi golden
resource "terraform_data" "decoded_v16_2" {
  count = var.env == "test" ? 1 : 0
  input = "16.2"
}

# phi: input (terraform_data.file) — gate: Eq(var.env, "prod") — trace: main.tf:38-40 — compiler: tf-phi golden
resource "terraform_data" "file_v15_4" {
  count = var.env == "prod" ? 1 : 0
  input = "15.4"
}

# phi: input (terraform_data.file) — gate: Eq(var.env, "test") — trace: main.tf:38-40 — compiler: tf-phi golden
resource "terraform_data" "file_v16_2" {
  count = var.env == "test" ? 1 : 0
  input = "16.2"
}

# phi: input (terraform_data.passed_through) — gate: Eq(var.env, "prod") — trace: main.tf:42-44 — compiler: tf-phi golden
resource "terraform_data" "passed_through_prod" {
  count = var.env == "prod" ? 1 : 0
  input = "prod"
}

# phi: input (terraform_data.passed_through) — gate: Eq(var.env, "test") — trace: main.tf:42-44 — compiler: tf-phi golden
resource "terraform_data" "passed_through_test" {
  count = var.env == "test" ? 1 : 0
  input = "test"
}
