# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any
  to   = terraform_data.any_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any_b[0]
  to   = terraform_data.any_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_default
  to   = terraform_data.by_default_s[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.by_default_s[0]
  to   = terraform_data.by_default_m[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.conditional
  to   = terraform_data.conditional_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.conditional_b[0]
  to   = terraform_data.conditional_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.elsewhere
  to   = terraform_data.elsewhere_iron[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.elsewhere_iron[0]
  to   = terraform_data.elsewhere_gold[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.equal
  to   = terraform_data.equal_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.equal_b[0]
  to   = terraform_data.equal_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.in_a_set
  to   = terraform_data.in_a_set_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.in_a_set_b[0]
  to   = terraform_data.in_a_set_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.key
  to   = terraform_data.key_s[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.key_s[0]
  to   = terraform_data.key_m[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.looked_up
  to   = terraform_data.looked_up_s[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.looked_up_s[0]
  to   = terraform_data.looked_up_m[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_keys
  to   = terraform_data.of_keys_s[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.of_keys_s[0]
  to   = terraform_data.of_keys_m[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.pattern
  to   = terraform_data.pattern_prod[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.pattern_prod[0]
  to   = terraform_data.pattern_dev[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.position
  to   = terraform_data.position_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.position_b[0]
  to   = terraform_data.position_a[0]
}
