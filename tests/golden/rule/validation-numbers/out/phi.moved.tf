# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_a_range
  to   = terraform_data.of_a_range_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_a_range_v2[0]
  to   = terraform_data.of_a_range_v3[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_a_range_v3[0]
  to   = terraform_data.of_a_range_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.rounded
  to   = terraform_data.rounded_v3[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.rounded_v3[0]
  to   = terraform_data.rounded_v4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.rounded_v4[0]
  to   = terraform_data.rounded_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.steps
  to   = terraform_data.steps_v20[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.steps_v20[0]
  to   = terraform_data.steps_v10[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.two_ranges
  to   = terraform_data.two_ranges_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.two_ranges_v2[0]
  to   = terraform_data.two_ranges_v10[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.two_ranges_v10[0]
  to   = terraform_data.two_ranges_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.whole
  to   = terraform_data.whole_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.whole_v2[0]
  to   = terraform_data.whole_v3[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.whole_v3[0]
  to   = terraform_data.whole_v1[0]
}
