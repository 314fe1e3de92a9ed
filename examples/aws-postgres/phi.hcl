# The version decides how the database is set up, so it has to be known before plan.
specialize "aws_db_instance" {
  fields = ["engine_version"]
}
