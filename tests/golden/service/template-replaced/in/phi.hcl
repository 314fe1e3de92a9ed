settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  services = ["pg", "bucket"]
}
service "pg" {
  replaces = "aws_db_instance"
  module   = "./services/pg"
}
service "bucket" {
  replaces = "aws_s3_bucket"
  module   = "./services/bucket"
}
