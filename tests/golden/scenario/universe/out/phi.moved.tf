# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.db
  to   = module.db_medium[0]
}

moved {
  from = module.db_medium[0]
  to   = module.db_large[0]
}

moved {
  from = module.db_large[0]
  to   = module.db_small[0]
}
