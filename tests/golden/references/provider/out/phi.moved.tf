# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = aws_sqs_queue.app
  to   = aws_sqs_queue.app_aws[0]
}

moved {
  from = aws_sqs_queue.app_aws[0]
  to   = aws_sqs_queue.app_aws_us[0]
}
