# what is around stays
override_module {
  target  = module.db_v15_4 # the call
  outputs = { release = "mock" }
}

override_module {
  target  = module.db_v14_9 # the call
  outputs = { release = "mock" }
}

override_module {
  target  = module.db # the call
  outputs = { release = "mock" }
}

mock_provider "terraform" {
  override_resource {
    target = module.db_v15_4.terraform_data.db
  }

  override_resource {
    target = module.db_v14_9.terraform_data.db
  }

  override_resource {
    target = module.db.terraform_data.db
  }
}

run "plan" {
  command = plan
  plan_options {
    target  = [module.db_v15_4, module.db_v14_9, terraform_data.vm_large["a"], terraform_data.vm_small["a"]]
    replace = [module.db_v15_4[0].terraform_data.db, module.db_v14_9[0].terraform_data.db, terraform_data.vm_large["a"], terraform_data.vm_small["a"]]
  }
  variables {
    env = "prod"
  }
  assert {
    condition     = one(concat(module.db_v15_4[*].release, module.db_v14_9[*].release)) == "mock" && merge(terraform_data.vm_large, terraform_data.vm_small)["a"].input == "large"
    error_message = "is ${one(concat(module.db_v15_4[*].release, module.db_v14_9[*].release))} with ${length(merge(terraform_data.vm_large, terraform_data.vm_small))}"
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
