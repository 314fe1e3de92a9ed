settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  environment = "kubernetes"
  services    = ["kafka"]
}
service "kafka" {
  replaces = "aws_msk_cluster"
  module   = "./services/kafka"
  refuses  = { "login.sasl.iam" = "There is no IAM.", "login.tls.iam" = "There is no IAM." }
  ignores = {
    logs           = "Logs are those of the pods."
    "nodes.groups" = "A cluster of Kubernetes has a network of its own."
  }
  drops = {
    aws_security_group = "A cluster of Kubernetes has a network of its own."
  }
}
