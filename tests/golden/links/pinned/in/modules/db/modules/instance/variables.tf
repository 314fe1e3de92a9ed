variable "name" {
  type = string
}

variable "engine" {
  type = string
}
