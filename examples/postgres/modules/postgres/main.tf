variable "engine_version" {
  type = string
}

variable "instance_class" {
  type = string
}

# Stands for an aws_db_instance, so that the example needs no provider.
resource "terraform_data" "postgres" {
  input = {
    engine            = "postgres"
    engine_version    = var.engine_version
    instance_class    = var.instance_class
    allocated_storage = 100
  }
}

output "address" {
  value = "postgres-${var.engine_version}.internal:5432"
}
