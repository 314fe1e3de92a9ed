specialize "aws_set" {
  fields = ["rule.port"]
}
