# Written by tf-phi: the addresses that state comes from, for one branch. `tf-phi plan` writes it for its run's.

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_sqs_queue.app
  to   = aws_sqs_queue.app_aws[0]
}

moved { # If Terraform stops here, run tf-phi plan.
  from = aws_sqs_queue.app_aws[0]
  to   = aws_sqs_queue.app_aws_us[0]
}
