settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  environment = "kubernetes"
  services    = ["pg"]
}
service "pg" {
  replaces = "aws_db_instance"
  module   = "./services/pg"

  merge "aws_db_parameter_group" {
    from = "parameter_group_name"
    into = "parameter_group"
  }

  ignores = {
    "parameter_group.family"                 = "The image decides."
    "parameter_group.parameter.apply_method" = "The operator decides."
    parameter_group_name                     = "Its parameters are the cluster's."
  }
}
