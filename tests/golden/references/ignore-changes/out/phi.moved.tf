# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved {
  from = terraform_data.app
  to   = terraform_data.app_xb1733f[0]
}

moved {
  from = terraform_data.app_xb1733f[0]
  to   = terraform_data.app_xc3bdab[0]
}
