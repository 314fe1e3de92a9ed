# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.db
  to   = module.db_v16_2[0]
}

moved {
  from = module.db_v16_2[0]
  to   = module.db_v15_4[0]
}

moved {
  from = terraform_data.per_key
  to   = terraform_data.per_key_v2[0]
}

moved {
  from = terraform_data.per_key_v2[0]
  to   = terraform_data.per_key_v1[0]
}

moved {
  from = terraform_data.vm
  to   = terraform_data.vm_small[0]
}

moved {
  from = terraform_data.vm_small[0]
  to   = terraform_data.vm_large[0]
}
