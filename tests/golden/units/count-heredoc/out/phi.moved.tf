# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.keyed
  to   = terraform_data.keyed_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.keyed_small
  to   = terraform_data.keyed_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.named
  to   = terraform_data.named_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.named_small
  to   = terraform_data.named_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.vm
  to   = terraform_data.vm_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.vm_small
  to   = terraform_data.vm_large
}
