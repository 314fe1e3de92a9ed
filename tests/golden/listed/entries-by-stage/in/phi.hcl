specialize "aws_security_group" {
  fields = ["ingress.from_port"]
}
