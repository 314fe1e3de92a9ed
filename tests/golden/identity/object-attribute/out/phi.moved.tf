# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.db
  to   = terraform_data.db_b[0]
}

moved {
  from = terraform_data.db_b[0]
  to   = terraform_data.db_c[0]
}

moved {
  from = terraform_data.db_c[0]
  to   = terraform_data.db_a[0]
}
