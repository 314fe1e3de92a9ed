# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.for
  to   = terraform_data.for_SMALL[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.for_SMALL[0]
  to   = terraform_data.for_LARGE[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.list
  to   = terraform_data.list_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.list_small[0]
  to   = terraform_data.list_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.local
  to   = terraform_data.local_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.local_small[0]
  to   = terraform_data.local_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.object
  to   = terraform_data.object_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.object_small[0]
  to   = terraform_data.object_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.operator
  to   = terraform_data.operator_v10[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.operator_v10[0]
  to   = terraform_data.operator_v20[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.output
  to   = terraform_data.output_db_d[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.output_db_d[0]
  to   = terraform_data.output_db_p[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.splat
  to   = terraform_data.splat_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.splat_small[0]
  to   = terraform_data.splat_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.template
  to   = terraform_data.template_db_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.template_db_small[0]
  to   = terraform_data.template_db_large_ha[0]
}
