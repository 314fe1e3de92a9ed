# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.node
  to   = module.node_t3_small[0]
}

moved {
  from = module.node_t3_small[0]
  to   = module.node_m5_xlarge[0]
}
