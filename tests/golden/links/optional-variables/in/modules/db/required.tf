# Nothing would pass it, so it goes from the copies.
variable "class" {
  type = string
}
