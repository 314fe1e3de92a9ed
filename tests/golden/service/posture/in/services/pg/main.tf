variable "allocated_storage" {
  type = number
}
