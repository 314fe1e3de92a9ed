specialize "aws_fault" {
  fields = ["rule.port"]
}
