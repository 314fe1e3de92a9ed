# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db
  to   = terraform_data.db_v1[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v1[0]
  to   = terraform_data.db_v10[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v10[0]
  to   = terraform_data.db_v11[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v11[0]
  to   = terraform_data.db_v12[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v12[0]
  to   = terraform_data.db_v13[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v13[0]
  to   = terraform_data.db_v14[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v14[0]
  to   = terraform_data.db_v15[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v15[0]
  to   = terraform_data.db_v16[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v16[0]
  to   = terraform_data.db_v17[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v17[0]
  to   = terraform_data.db_v18[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v18[0]
  to   = terraform_data.db_v19[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v19[0]
  to   = terraform_data.db_v2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v2[0]
  to   = terraform_data.db_v3[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v3[0]
  to   = terraform_data.db_v4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v4[0]
  to   = terraform_data.db_v5[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v5[0]
  to   = terraform_data.db_v6[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v6[0]
  to   = terraform_data.db_v7[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v7[0]
  to   = terraform_data.db_v8[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v8[0]
  to   = terraform_data.db_v9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.db_v9[0]
  to   = terraform_data.db_v0[0]
}
