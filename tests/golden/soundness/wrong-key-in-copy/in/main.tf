variable "v2" {
  type = string
  validation {
    condition     = contains(["1", "x y"], var.v2)
    error_message = "Not valid."
  }
}

module "c" {
  source = "./mods/m"
  key    = var.v2 == "x y" ? "true" : "1"
}
