# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved {
  from = module.c
  to   = module.c_is_1[0]
}

moved {
  from = module.c_is_1[0]
  to   = module.c_is_true[0]
}
