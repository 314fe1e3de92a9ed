# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.outer
  to   = module.outer_b_x[0]
}

moved {
  from = module.outer_b_x[0]
  to   = module.outer_a_x[0]
}
