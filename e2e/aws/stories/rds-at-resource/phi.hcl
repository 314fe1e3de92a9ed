specialize "aws_db_instance" {
  fields = ["engine_version"]
  at     = "resource"
}
