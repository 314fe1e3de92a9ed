# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.database
  to   = module.database_v15_4[0]
}

moved {
  from = module.database_v15_4[0]
  to   = module.database_v14_9[0]
}
