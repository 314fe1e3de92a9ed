variable "cfg" {
  type = object({ v = optional(string, "d") })
}

output "is_null" {
  value = var.cfg.v == null
}
