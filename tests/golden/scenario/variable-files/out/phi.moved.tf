# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.attribute
  to   = terraform_data.attribute_v1_0[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.attribute_v1_0[0]
  to   = terraform_data.attribute_v2_0[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.engine
  to   = terraform_data.engine_v15[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.engine_v15[0]
  to   = terraform_data.engine_v16[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.key
  to   = terraform_data.key_v6[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.key_v6[0]
  to   = terraform_data.key_v7[0]
}
