# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.disk
  to   = terraform_data.disk_v50[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.disk_v50[0]
  to   = terraform_data.disk_v100[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.disk_v100[0]
  to   = terraform_data.disk_v10[0]
}
