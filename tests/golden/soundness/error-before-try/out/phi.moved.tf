# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved {
  from = module.c
  to   = module.c_v2[0]
}

moved {
  from = module.c_v2[0]
  to   = module.c_v1[0]
}
