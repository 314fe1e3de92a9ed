# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.attribute
  to   = terraform_data.attribute_v16[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.attribute_v16[0]
  to   = terraform_data.attribute_v15[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.data
  to   = terraform_data.data_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.data_v15_4[0]
  to   = terraform_data.data_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.element
  to   = terraform_data.element_b_c[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.element_b_c[0]
  to   = terraform_data.element_a[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.part
  to   = terraform_data.part_v16_alpine[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.part_v16_alpine[0]
  to   = terraform_data.part_v15_alpine[0]
}
