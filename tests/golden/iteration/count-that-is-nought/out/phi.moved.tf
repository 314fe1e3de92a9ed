# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.own_count
  to   = terraform_data.own_count_s
}

moved {
  from = terraform_data.own_count_s
  to   = terraform_data.own_count_l
}
