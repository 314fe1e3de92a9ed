# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.r20
  to   = terraform_data.r20_a[0]
}

moved {
  from = terraform_data.r20_a[0]
  to   = terraform_data.r20_prod[0]
}
