# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved {
  from = module.size
  to   = module.size_DEV[0]
}

moved {
  from = module.size_DEV[0]
  to   = module.size_B[0]
}

moved {
  from = terraform_data.r
  to   = terraform_data.r_a[0]
}

moved {
  from = terraform_data.r_a[0]
  to   = terraform_data.r_dev[0]
}
