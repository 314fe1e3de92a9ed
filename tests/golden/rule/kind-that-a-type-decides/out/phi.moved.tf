# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved {
  from = module.network.terraform_data.zones
  to   = module.network.terraform_data.zones_some[0]
}

moved {
  from = module.network.terraform_data.zones_some[0]
  to   = module.network.terraform_data.zones_none[0]
}
