# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_key
  to   = terraform_data.by_key_later
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_key_later
  to   = terraform_data.by_key_first
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.counted
  to   = terraform_data.counted_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.counted_small
  to   = terraform_data.counted_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.listed
  to   = terraform_data.listed_A[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.listed_A[0]
  to   = terraform_data.listed_A_B[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.map
  to   = terraform_data.map_b_y
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.map_b_y
  to   = terraform_data.map_a_x
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.object
  to   = terraform_data.object_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.object_small
  to   = terraform_data.object_fixed
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.object_fixed
  to   = terraform_data.object_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_a_for
  to   = terraform_data.of_a_for_Y
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_a_for_Y
  to   = terraform_data.of_a_for_X
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_functions
  to   = terraform_data.of_functions_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_functions_large
  to   = terraform_data.of_functions_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_functions_small
  to   = terraform_data.of_functions_v3
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_functions_v3
  to   = terraform_data.of_functions_v1
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.set
  to   = terraform_data.set_a_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.set_a_small
  to   = terraform_data.set_b_large
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.set_b_large
  to   = terraform_data.set_b_small
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.set_b_small
  to   = terraform_data.set_a_large
}
