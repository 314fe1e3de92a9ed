settings {
  form_factor = "on-prem"
}

form_factor "on-prem" {
  drops = ["aws_iam_role", "aws_iam_policy_document"]

  services = ["cloudnative-pg"]
}
