data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "net.tfstate" }

  lifecycle {
    postcondition {
      condition     = contains(["prod"], self.outputs.env) || "dev" == self.outputs.env
      error_message = "prod or dev."
    }
    postcondition {
      condition     = contains(["a", "b", "c"], self.outputs.size)
      error_message = "More than what is specialised."
    }

    # phi: the values that are specialised
    postcondition {
      condition     = try(contains(["a", "b"], self.outputs.size), false)
      error_message = "data.terraform_remote_state.net.outputs.size must be one of \"a\", \"b\": only these are specialised. Add others to its universe in phi.hcl."
    }
  }
}

# phi: input (terraform_data.db) — gate: And(Eq(data.terraform_remote_state.net.outputs.env, "prod"), Eq(data.terraform_remote_state.net.outputs.size, "a")) — trace: main.tf:17-19 — compiler: tf-phi golden
resource "terraform_data" "db_prod_a" {
  count = data.terraform_remote_state.net.outputs.env == "prod" && data.terraform_remote_state.net.outputs.size == "a" ? 1 : 0
  input = "prod-a"
}

# phi: input (terraform_data.db) — gate: And(Eq(data.terraform_remote_state.net.outputs.env, "prod"), Eq(data.terraform_remote_state.net.outputs.size, "b")) — trace: main.tf:17-19 — compiler: tf-phi golden
resource "terraform_data" "db_prod_b" {
  count = data.terraform_remote_state.net.outputs.env == "prod" && data.terraform_remote_state.net.outputs.size == "b" ? 1 : 0
  input = "prod-b"
}

# phi: input (terraform_data.db) — gate: And(Eq(data.terraform_remote_state.net.outputs.env, "dev"), Eq(data.terraform_remote_state.net.outputs.size, "a")) — trace: main.tf:17-19 — compiler: tf-phi golden
resource "terraform_data" "db_dev_a" {
  count = data.terraform_remote_state.net.outputs.env == "dev" && data.terraform_remote_state.net.outputs.size == "a" ? 1 : 0
  input = "dev-a"
}

# phi: input (terraform_data.db) — gate: And(Eq(data.terraform_remote_state.net.outputs.env, "dev"), Eq(data.terraform_remote_state.net.outputs.size, "b")) — trace: main.tf:17-19 — compiler: tf-phi golden
resource "terraform_data" "db_dev_b" {
  count = data.terraform_remote_state.net.outputs.env == "dev" && data.terraform_remote_state.net.outputs.size == "b" ? 1 : 0
  input = "dev-b"
}
