resource "aws_db_instance" "app" {
  engine_version = "15.4"
}

resource "aws_rds_cluster" "app" {
  engine_version = "14.9"
}

resource "aws_db_instance" "other" {
  engine_version = "14.9"
}

module "other" {
  source = "./other"
}

output "all" {
  value = [aws_db_instance.app.address, aws_rds_cluster.app.port, aws_db_instance.other.address]
}
