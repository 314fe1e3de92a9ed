# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.by_key
  to   = terraform_data.by_key_large[0]
}

moved {
  from = terraform_data.by_key_large[0]
  to   = terraform_data.by_key_small[0]
}

moved {
  from = terraform_data.count
  to   = terraform_data.count_dev[0]
}

moved {
  from = terraform_data.count_dev[0]
  to   = terraform_data.count_prod[0]
}

moved {
  from = terraform_data.for_each
  to   = terraform_data.for_each_dev[0]
}

moved {
  from = terraform_data.for_each_dev[0]
  to   = terraform_data.for_each_prod[0]
}
