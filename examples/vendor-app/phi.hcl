settings {
  environments = ["env/*.tfvars"]
}

# A customer's cluster of Kubernetes, which can't reach anything outside.
form_factor "on-prem" {
  environment  = "kubernetes"
  connectivity = "air-gapped"
  mirror       = "registry.example"
  services     = ["cloudnative-pg", "valkey", "seaweedfs", "rabbitmq", "task", "deployment"]

  # Nothing comes in the place of these.
  drops = ["aws_vpc", "aws_subnet", "aws_security_group", "aws_ecs_cluster"]

  inputs "cloudnative-pg" {
    namespace = "app"
  }
  inputs "valkey" {
    namespace = "app"
  }
  inputs "seaweedfs" {
    namespace = "app"
  }
  inputs "rabbitmq" {
    namespace   = "app"
    user_secret = ""
  }
  inputs "deployment" {
    namespace = "app"
  }
}

# Containers are the vendor's own service: a task's definition becomes a value, which the deployment takes.
service "task" {
  replaces = "aws_ecs_task_definition"
  module   = "./services/task"
  outputs  = { arn = "definition" }

  ignores = {
    execution_role_arn       = "Kubernetes knows no IAM."
    family                   = "The deployment has the name of the service."
    network_mode             = "A cluster of Kubernetes has a network of its own."
    requires_compatibilities = "Fargate is AWS's."
  }

  drops = {
    aws_cloudwatch_log_group       = "Logs are those of the pods."
    aws_iam_role                   = "Kubernetes knows no IAM."
    aws_iam_role_policy_attachment = "Kubernetes knows no IAM."
    "data.aws_iam_policy_document" = "Kubernetes knows no IAM."
  }
}

service "deployment" {
  replaces = "aws_ecs_service"
  module   = "./services/deployment"

  ignores = {
    cluster               = "There is one cluster."
    launch_type           = "Fargate is AWS's."
    network_configuration = "A cluster of Kubernetes has a network of its own."
  }
}
