variable "cloudnative_pg_operator" {
  description = "What says that the operator is there."
  type        = string
}
