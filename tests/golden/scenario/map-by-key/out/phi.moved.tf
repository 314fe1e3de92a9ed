# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.db
  to   = module.db_v15_4[0]
}

moved {
  from = module.db_v15_4[0]
  to   = module.db_v16_2[0]
}
