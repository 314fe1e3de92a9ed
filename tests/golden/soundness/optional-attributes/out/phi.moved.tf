# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.r
  to   = terraform_data.r_LARGE[0]
}

moved {
  from = terraform_data.r_LARGE[0]
  to   = terraform_data.r_small_77bb10[0]
}

moved {
  from = terraform_data.r_small_77bb10[0]
  to   = terraform_data.r_SMALL_b8864b[0]
}
