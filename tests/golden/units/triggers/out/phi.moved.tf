# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db
  to   = terraform_data.db_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v14_9[0]
  to   = terraform_data.db_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.many
  to   = terraform_data.many_few
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.many_few
  to   = terraform_data.many_many
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.attr
  to   = terraform_data.attr_v14_9
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.attr_v14_9
  to   = terraform_data.attr_v15_4
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.whole
  to   = terraform_data.whole_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.whole_v14_9[0]
  to   = terraform_data.whole_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.each
  to   = terraform_data.each_few
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.each_few
  to   = terraform_data.each_many
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.chain
  to   = terraform_data.chain_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.chain_v14_9[0]
  to   = terraform_data.chain_v15_4[0]
}
