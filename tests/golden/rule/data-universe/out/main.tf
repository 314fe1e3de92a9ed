data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "${path.module}/net.tfstate" }

  lifecycle {
    postcondition {
      condition     = self.outputs.env != ""
      error_message = "No environment."
    }

    # phi: the values that are specialised
    postcondition {
      condition     = try(contains(["prod", "dev"], self.outputs.env), false)
      error_message = "data.terraform_remote_state.net.outputs.env must be one of \"prod\", \"dev\": only these are specialised. Add others to its universe in phi.hcl."
    }

    # phi: the values that are specialised
    postcondition {
      condition     = try(contains([1, 2], self.outputs.size), false)
      error_message = "data.terraform_remote_state.net.outputs.size must be one of 1, 2: only these are specialised. Add others to its universe in phi.hcl."
    }
  }
}

module "site" {
  source = "./site-guarded"
}

module "other" {
  source = "./site"
}

# Both attributes are the value of the field; so both are held to what is listed.
# phi: input (terraform_data.db) — gate: And(Eq(data.terraform_remote_state.net.outputs.env, "prod"), Eq(data.terraform_remote_state.net.outputs.size, 1)) — trace: main.tf:22-24 — compiler: tf-phi golden
resource "terraform_data" "db_prod_1" {
  count = data.terraform_remote_state.net.outputs.env == "prod" && data.terraform_remote_state.net.outputs.size == 1 ? 1 : 0
  input = "prod-1"
}

# phi: input (terraform_data.db) — gate: And(Eq(data.terraform_remote_state.net.outputs.env, "prod"), Eq(data.terraform_remote_state.net.outputs.size, 2)) — trace: main.tf:22-24 — compiler: tf-phi golden
resource "terraform_data" "db_prod_2" {
  count = data.terraform_remote_state.net.outputs.env == "prod" && data.terraform_remote_state.net.outputs.size == 2 ? 1 : 0
  input = "prod-2"
}

# phi: input (terraform_data.db) — gate: And(Eq(data.terraform_remote_state.net.outputs.env, "dev"), Eq(data.terraform_remote_state.net.outputs.size, 1)) — trace: main.tf:22-24 — compiler: tf-phi golden
resource "terraform_data" "db_dev_1" {
  count = data.terraform_remote_state.net.outputs.env == "dev" && data.terraform_remote_state.net.outputs.size == 1 ? 1 : 0
  input = "dev-1"
}

# phi: input (terraform_data.db) — gate: And(Eq(data.terraform_remote_state.net.outputs.env, "dev"), Eq(data.terraform_remote_state.net.outputs.size, 2)) — trace: main.tf:22-24 — compiler: tf-phi golden
resource "terraform_data" "db_dev_2" {
  count = data.terraform_remote_state.net.outputs.env == "dev" && data.terraform_remote_state.net.outputs.size == 2 ? 1 : 0
  input = "dev-2"
}

# What isn't listed makes no difference here.
# phi: input (terraform_data.cache) — gate: Existing(data.terraform_remote_state.net.outputs.env == "prod") — trace: main.tf:27-29 — compiler: tf-phi golden
resource "terraform_data" "cache_large" {
  count = data.terraform_remote_state.net.outputs.env == "prod" ? 1 : 0
  input = "large"
}

# phi: input (terraform_data.cache) — gate: Not(Existing(data.terraform_remote_state.net.outputs.env == "prod")) — trace: main.tf:27-29 — compiler: tf-phi golden
resource "terraform_data" "cache_small" {
  count = data.terraform_remote_state.net.outputs.env == "prod" ? 0 : 1
  input = "small"
}

# phi: input (terraform_data.web) — gate: Eq(module.site.zone, "a") — trace: main.tf:31-33 — compiler: tf-phi golden
resource "terraform_data" "web_a" {
  count = module.site.zone == "a" ? 1 : 0
  input = "a"
}

# phi: input (terraform_data.web) — gate: Eq(module.site.zone, "b") — trace: main.tf:31-33 — compiler: tf-phi golden
resource "terraform_data" "web_b" {
  count = module.site.zone == "b" ? 1 : 0
  input = "b"
}
