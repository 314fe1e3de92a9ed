# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.app.terraform_data.big
  to   = module.app.terraform_data.big_x55adbe[0]
}

moved {
  from = module.app.terraform_data.big_x55adbe[0]
  to   = module.app.terraform_data.big_x428b05[0]
}

moved {
  from = module.app.terraform_data.big_x428b05[0]
  to   = module.app.terraform_data.big_x233721[0]
}

moved {
  from = module.app.terraform_data.big_x233721[0]
  to   = module.app.terraform_data.big_xa267fd[0]
}

moved {
  from = module.app.terraform_data.tier
  to   = module.app.terraform_data.tier_large[0]
}

moved {
  from = module.app.terraform_data.tier_large[0]
  to   = module.app.terraform_data.tier_small[0]
}
