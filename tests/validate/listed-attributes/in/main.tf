variable "cfg" {
  type = object({
    version = string
    disk    = optional(object({ kind = string, size = optional(number, 10) }), { kind = "ssd" })
  })
}

locals {
  # Nobody has version 16, and phi.hcl lists it.
  image = { "14" = "old", "15" = "new" }[var.cfg.version]
  # It fails for one size alone, and with it comes the disk of each environment.
  speed = var.cfg.disk.size > 50 ? { ssd = 3 }[var.cfg.disk.kind] : 1
  # An environment has each of these.
  known = { ssd = 1, hdd = 2 }[var.cfg.disk.kind]
}
