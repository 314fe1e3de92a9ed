# what is around stays
override_module {
  target  = module.db # the call
  outputs = { release = "mock" }
}

mock_provider "terraform" {
  override_resource {
    target = module.db.terraform_data.db
  }
}

run "plan" {
  command = plan
  plan_options {
    target  = [module.db, terraform_data.vm["a"]]
    replace = [module.db.terraform_data.db, terraform_data.vm["a"]]
  }
  variables {
    env = "prod"
  }
  assert {
    condition     = module.db.release == "mock" && terraform_data.vm["a"].input == "large"
    error_message = "is ${module.db.release} with ${length(terraform_data.vm)}"
  }
}

run "elsewhere" {
  module {
    source = "./db"
  }
  variables {
    release = "x"
  }
  assert {
    condition     = terraform_data.db.input == "x"
    error_message = "no"
  }
}
