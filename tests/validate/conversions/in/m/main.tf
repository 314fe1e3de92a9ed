variable "ids" {
  type = list(number)
}
