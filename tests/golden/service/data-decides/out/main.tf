data "terraform_remote_state" "site" {
  backend = "local"
  config = {
    path = "site.tfstate"
  }

  lifecycle {
    # phi: the values that are specialised
    postcondition {
      condition     = self.outputs.engine == "postgres"
      error_message = "data.terraform_remote_state.site.outputs.engine must be \"postgres\": only this value is specialised. Add others to its universe in phi.hcl."
    }

    # phi: the values that are specialised
    postcondition {
      condition     = try(contains(["14.9", "15.4"], self.outputs.version), false)
      error_message = "data.terraform_remote_state.site.outputs.version must be one of \"14.9\", \"15.4\": only these are specialised. Add others to its universe in phi.hcl."
    }
  }
}

# phi: aws_db_instance.app — service: pg — form factor: on-prem
# phi: engine_version (module.app) — gate: engine_version == "14.9" — trace: main.tf:8-11 — compiler: tf-phi golden
module "app_v14_9" {
  count  = data.terraform_remote_state.site.outputs.engine == "postgres" && data.terraform_remote_state.site.outputs.version == "14.9" ? 1 : 0
  source = "./services/pg-v14-9"
}

# phi: engine_version (module.app) — gate: engine_version == "15.4" — trace: main.tf:8-11 — compiler: tf-phi golden
module "app_v15_4" {
  count  = data.terraform_remote_state.site.outputs.engine == "postgres" && data.terraform_remote_state.site.outputs.version == "15.4" ? 1 : 0
  source = "./services/pg-v15-4"
}
