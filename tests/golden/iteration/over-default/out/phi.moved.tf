# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.item
  to   = terraform_data.item_v2
}

moved {
  from = terraform_data.item_v2
  to   = terraform_data.item_v1
}
