variable "name" {
  type = string
}

# Without it, the engine's own default.
variable "engine" {
  type    = string
  default = null
}
