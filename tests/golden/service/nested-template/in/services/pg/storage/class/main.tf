variable "release" {
  type = string
}

output "name" {
  value = var.release == "16.2" ? "fast" : "slow"
}
