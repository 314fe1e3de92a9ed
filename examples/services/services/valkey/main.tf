variable "replication_group_id" {
  type = string
}

variable "engine_version" {
  type = string
}

resource "terraform_data" "release" {
  input = {
    chart = "valkey"
    image = "valkey/valkey:${var.engine_version}"
    name  = var.replication_group_id
  }
}

output "host" {
  value = "${var.replication_group_id}-valkey.default.svc"
}
