specialize "aws_security_group" {
  fields = ["egress.from_port", "ingress.from.port"]
}
