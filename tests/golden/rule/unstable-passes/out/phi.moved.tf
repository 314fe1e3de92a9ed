# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.db
  to   = terraform_data.db_v14_9[0]
}

moved {
  from = terraform_data.db_v14_9[0]
  to   = terraform_data.db_v15_4[0]
}
