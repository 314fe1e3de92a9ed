# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.kind
  to   = terraform_data.kind_second[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.kind_second[0]
  to   = terraform_data.kind_none[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.kind_none[0]
  to   = terraform_data.kind_first[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.size
  to   = terraform_data.size_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.size_v1[0]
  to   = terraform_data.size_v8[0]
}
