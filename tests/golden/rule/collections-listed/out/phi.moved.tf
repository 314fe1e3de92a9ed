# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any
  to   = terraform_data.any_a_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any_a_b[0]
  to   = terraform_data.any_c[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any_c[0]
  to   = terraform_data.any_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db
  to   = terraform_data.db_kind_big_size_v2_ba74bb[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_kind_big_size_v2_ba74bb[0]
  to   = terraform_data.db_kind_null_size_v1_2ff5ff[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.first
  to   = terraform_data.first_none[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.first_none[0]
  to   = terraform_data.first_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.names
  to   = terraform_data.names_a_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.names_a_b[0]
  to   = terraform_data.names_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.pair
  to   = terraform_data.pair_b_false[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.pair_b_false[0]
  to   = terraform_data.pair_a_true[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.sizes
  to   = terraform_data.sizes_s_v2_t_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.sizes_s_v2_t_v1[0]
  to   = terraform_data.sizes_input_empty[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.sizes_input_empty[0]
  to   = terraform_data.sizes_s_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zones
  to   = terraform_data.zones_a_b[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zones_a_b[0]
  to   = terraform_data.zones_input_empty[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zones_input_empty[0]
  to   = terraform_data.zones_a[0]
}
