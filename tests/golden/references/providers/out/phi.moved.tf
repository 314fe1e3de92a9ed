# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved {
  from = module.queue
  to   = module.queue_xb9df05[0]
}

moved {
  from = module.queue_xb9df05[0]
  to   = module.queue_xc7ed3f[0]
}
