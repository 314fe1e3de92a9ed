# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.main
  to   = terraform_data.main_single_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.main_single_a[0]
  to   = terraform_data.main_cluster_a_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.over
  to   = terraform_data.over_other
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.over_other
  to   = terraform_data.over_first
}
