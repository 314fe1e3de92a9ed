# Written by tf-phi for this run's variables: which addresses state comes from.

moved {
  from = aws_instance.app
  to   = aws_instance.app_v20_v1500[0]
}

moved {
  from = aws_instance.app_v20_v1500[0]
  to   = aws_instance.app_v200_v9001[0]
}
