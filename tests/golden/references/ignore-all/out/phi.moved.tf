# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.app
  to   = terraform_data.app_x555771[0]
}

moved {
  from = terraform_data.app_x555771[0]
  to   = terraform_data.app_x4655dc[0]
}
