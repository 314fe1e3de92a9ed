# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.c
  to   = module.c_is_1[0]
}

moved {
  from = module.c_is_1[0]
  to   = module.c_is_true[0]
}
