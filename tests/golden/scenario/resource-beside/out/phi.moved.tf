# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.vm
  to   = terraform_data.vm_small[0]
}

moved {
  from = terraform_data.vm_small[0]
  to   = terraform_data.vm_large[0]
}
