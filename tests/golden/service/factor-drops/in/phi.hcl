settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  environment = "kubernetes"
  drops       = ["aws_iam_role", "aws_iam_policy_document", "aws_db_subnet_group"]

  services = ["cloudnative-pg"]
}
