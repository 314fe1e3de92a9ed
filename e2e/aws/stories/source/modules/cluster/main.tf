variable "name" {
  type = string
}

variable "engine_version" {
  type = string
}

variable "class" {
  type = string
}

resource "aws_rds_cluster" "all" {
  cluster_identifier          = var.name
  engine                      = "aurora-postgresql"
  engine_version              = var.engine_version
  master_username             = "ledger"
  manage_master_user_password = true
  skip_final_snapshot         = true
}

resource "aws_rds_cluster_instance" "member" {
  count = 2

  cluster_identifier = aws_rds_cluster.all.id
  engine             = aws_rds_cluster.all.engine
  instance_class     = var.class
}

output "host" {
  value = aws_rds_cluster.all.endpoint
}
