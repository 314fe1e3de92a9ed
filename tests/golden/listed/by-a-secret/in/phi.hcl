specialize "aws_secret" {
  fields = ["name"]
}
