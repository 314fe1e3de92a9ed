variable "zone" {
  universe = ["eu", "us", null]
}
