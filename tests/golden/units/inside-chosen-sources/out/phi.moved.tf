# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = module.service
  to   = module.service_queue
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.service_queue
  to   = module.service_cache
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.outer.module.inner
  to   = module.outer.module.inner_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = module.outer.module.inner_b[0]
  to   = module.outer.module.inner_a[0]
}

# Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.
output "tf_phi_moves_missing" {
  value = null

  precondition {
    condition     = sha1(jsonencode([terraform.workspace, plantimestamp()])) == ""
    error_message = "Which copies of module.outer.module.inner.module.leaf, module.outer.module.inner.terraform_data.b, module.service.terraform_data.it hold state depends on this run's variables. Run `tf-phi plan`, which writes the moves for them: without those, Terraform would destroy and create anew."
  }
}
