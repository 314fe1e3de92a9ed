# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.caught
  to   = terraform_data.caught_two[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.caught_two[0]
  to   = terraform_data.caught_other[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.caught_other[0]
  to   = terraform_data.caught_none[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.caught_none[0]
  to   = terraform_data.caught_one[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.chosen
  to   = terraform_data.chosen_one[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.chosen_one[0]
  to   = terraform_data.chosen_two[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.chosen_two[0]
  to   = terraform_data.chosen_other[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.chosen_other[0]
  to   = terraform_data.chosen_big[0]
}
