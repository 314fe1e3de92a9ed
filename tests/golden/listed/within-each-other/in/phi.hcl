specialize "aws_thing" {
  fields = ["statement.sid", "statement.effect", "statement.condition.values"]
}
