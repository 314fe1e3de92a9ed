# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.db.terraform_data.db
  to   = module.db.terraform_data.db_v16_2[0]
}

moved {
  from = module.db.terraform_data.db_v16_2[0]
  to   = module.db.terraform_data.db_v15_4[0]
}
