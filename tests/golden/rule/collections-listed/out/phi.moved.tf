# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any
  to   = terraform_data.any_x1f36db[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any_x1f36db[0]
  to   = terraform_data.any_c[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.any_c[0]
  to   = terraform_data.any_xd3693d[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db
  to   = terraform_data.db_xa32ebe[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_xa32ebe[0]
  to   = terraform_data.db_x60840d[0]
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
  to   = terraform_data.names_x7fff73[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.names_x7fff73[0]
  to   = terraform_data.names_x8e546f[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.pair
  to   = terraform_data.pair_xc2a784[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.pair_xc2a784[0]
  to   = terraform_data.pair_x261def[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.sizes
  to   = terraform_data.sizes_xb1888a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.sizes_xb1888a[0]
  to   = terraform_data.sizes_xa3903f[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.sizes_xa3903f[0]
  to   = terraform_data.sizes_xce8249[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zones
  to   = terraform_data.zones_x6a742f[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zones_x6a742f[0]
  to   = terraform_data.zones_xb1733f[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zones_xb1733f[0]
  to   = terraform_data.zones_x0ef51d[0]
}
