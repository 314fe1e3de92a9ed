variable "identifier" {
  type = string
}

variable "engine_version" {
  type = string
}

output "address" {
  value = "${var.identifier}.${var.engine_version}.svc"
}
