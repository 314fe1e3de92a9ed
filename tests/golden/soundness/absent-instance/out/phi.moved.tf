# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.e
  to   = terraform_data.e_b[0]
}

moved {
  from = terraform_data.e_b[0]
  to   = terraform_data.e_none[0]
}

moved {
  from = terraform_data.e_none[0]
  to   = terraform_data.e_a[0]
}
