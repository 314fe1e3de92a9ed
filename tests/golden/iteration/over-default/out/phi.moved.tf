# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved {
  from = terraform_data.item
  to   = terraform_data.item_v2
}

moved {
  from = terraform_data.item_v2
  to   = terraform_data.item_v1
}
