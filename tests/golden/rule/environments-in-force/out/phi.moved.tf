# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.both
  to   = terraform_data.both_small_iron[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.both_small_iron[0]
  to   = terraform_data.both_large_gold[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.both_large_gold[0]
  to   = terraform_data.both_large_iron[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.both_large_iron[0]
  to   = terraform_data.both_tiny_gold[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.both_tiny_gold[0]
  to   = terraform_data.both_tiny_iron[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.both_tiny_iron[0]
  to   = terraform_data.both_small_gold[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.engine
  to   = terraform_data.engine_pg_14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.engine_pg_14_9[0]
  to   = terraform_data.engine_pg_15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.size
  to   = terraform_data.size_large[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.size_large[0]
  to   = terraform_data.size_tiny[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.size_tiny[0]
  to   = terraform_data.size_small[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.tier
  to   = terraform_data.tier_iron[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.tier_iron[0]
  to   = terraform_data.tier_gold[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zones
  to   = terraform_data.zones_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zones_v2[0]
  to   = terraform_data.zones_v0[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.zones_v0[0]
  to   = terraform_data.zones_v1[0]
}
