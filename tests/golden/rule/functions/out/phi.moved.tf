# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.arms
  to   = terraform_data.arms_v14_9[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.arms_v14_9[0]
  to   = terraform_data.arms_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.cross
  to   = terraform_data.cross_db_test[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.cross_db_test[0]
  to   = terraform_data.cross_db_prod[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.decoded
  to   = terraform_data.decoded_v16_2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.decoded_v16_2[0]
  to   = terraform_data.decoded_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.each_element
  to   = terraform_data.each_element_TEST[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.each_element_TEST[0]
  to   = terraform_data.each_element_PROD[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.file
  to   = terraform_data.file_v16_2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.file_v16_2[0]
  to   = terraform_data.file_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.passed_through
  to   = terraform_data.passed_through_test[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.passed_through_test[0]
  to   = terraform_data.passed_through_prod[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.predicate
  to   = terraform_data.predicate_v16_2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.predicate_v16_2[0]
  to   = terraform_data.predicate_v15_4[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.selected
  to   = terraform_data.selected_v16_2[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = terraform_data.selected_v16_2[0]
  to   = terraform_data.selected_v15_4[0]
}
