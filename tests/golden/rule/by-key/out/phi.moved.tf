# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.index
  to   = terraform_data.index_v16_2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.index_v16_2[0]
  to   = terraform_data.index_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.lookup
  to   = terraform_data.lookup_v16_2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.lookup_v16_2[0]
  to   = terraform_data.lookup_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.lookup_v14_9[0]
  to   = terraform_data.lookup_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.try
  to   = terraform_data.try_v16_2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.try_v16_2[0]
  to   = terraform_data.try_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.try_v14_9[0]
  to   = terraform_data.try_v15_4[0]
}
