variable "cfg.version" {
  universe = ["14", "15", "16"]
}

variable "cfg.disk.size" {
  universe = [10, 100]
}
