# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved {
  from = module.db
  to   = module.db_v14_9
}

moved {
  from = module.db_v14_9
  to   = module.db_v15_4
}

moved {
  from = terraform_data.kept
  to   = terraform_data.kept_no
}

moved {
  from = terraform_data.kept_no
  to   = terraform_data.kept_yes
}

moved {
  from = terraform_data.one
  to   = terraform_data.one_small[0]
}

moved {
  from = terraform_data.one_small[0]
  to   = terraform_data.one_large[0]
}
