variable "env" {
  type = string
}

output "tier" {
  value = var.env == "prod" ? "high" : "low"
}
