# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.all
  to   = terraform_data.all_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.all_b[0]
  to   = terraform_data.all_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.and_not
  to   = terraform_data.and_not_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.and_not_b[0]
  to   = terraform_data.and_not_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.beginning
  to   = terraform_data.beginning_dev_eu[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.beginning_dev_eu[0]
  to   = terraform_data.beginning_dev[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.blocks
  to   = terraform_data.blocks_c[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.blocks_c[0]
  to   = terraform_data.blocks_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.both
  to   = terraform_data.both_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.both_b[0]
  to   = terraform_data.both_a[0]
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
  from = terraform_data.length
  to   = terraform_data.length_bb[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.length_bb[0]
  to   = terraform_data.length_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.listed
  to   = terraform_data.listed_us[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.listed_us[0]
  to   = terraform_data.listed_eu[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.not_neither
  to   = terraform_data.not_neither_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.not_neither_b[0]
  to   = terraform_data.not_neither_a[0]
}
