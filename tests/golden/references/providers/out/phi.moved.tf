# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.queue
  to   = module.queue_xb9df05[0]
}

moved {
  from = module.queue_xb9df05[0]
  to   = module.queue_xc7ed3f[0]
}
