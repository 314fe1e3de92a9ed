# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.app
  to   = terraform_data.app_xb1733f[0]
}

moved {
  from = terraform_data.app_xb1733f[0]
  to   = terraform_data.app_xc3bdab[0]
}
