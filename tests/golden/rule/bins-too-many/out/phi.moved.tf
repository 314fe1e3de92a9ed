# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = terraform_data.disk
  to   = terraform_data.disk_v50[0]
}

moved {
  from = terraform_data.disk_v50[0]
  to   = terraform_data.disk_v100[0]
}

moved {
  from = terraform_data.disk_v100[0]
  to   = terraform_data.disk_v10[0]
}
