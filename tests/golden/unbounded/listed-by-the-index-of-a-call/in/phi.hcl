specialize "aws_number" {
  fields = ["number"]
}
