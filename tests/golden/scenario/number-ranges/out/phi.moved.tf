# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.db
  to   = terraform_data.db_large[0]
}

moved {
  from = terraform_data.db_large[0]
  to   = terraform_data.db_medium[0]
}

moved {
  from = terraform_data.db_medium[0]
  to   = terraform_data.db_small[0]
}
