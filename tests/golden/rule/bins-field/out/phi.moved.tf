# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.disk
  to   = module.disk_v100[0]
}

moved {
  from = module.disk_v100[0]
  to   = module.disk_v1000[0]
}

moved {
  from = module.disk_v1000[0]
  to   = module.disk_v20[0]
}
