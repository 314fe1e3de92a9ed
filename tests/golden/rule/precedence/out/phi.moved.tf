# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.environment
  to   = terraform_data.environment_default[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.environment_default[0]
  to   = terraform_data.environment_environment[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.flag
  to   = terraform_data.flag_input_false[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.flag_input_false[0]
  to   = terraform_data.flag_input_true[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.validated
  to   = terraform_data.validated_validated[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.validated_validated[0]
  to   = terraform_data.validated_environment[0]
}
