# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = module.database
  to   = module.database_postgres[0]
}

moved {
  from = module.database_postgres[0]
  to   = module.database_mysql[0]
}

moved {
  from = terraform_data.db
  to   = terraform_data.db_postgres[0]
}

moved {
  from = terraform_data.db_postgres[0]
  to   = terraform_data.db_mysql[0]
}
