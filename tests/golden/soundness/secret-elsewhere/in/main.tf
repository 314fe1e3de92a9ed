variable "secret" {
  type      = bool
  nullable  = false
  sensitive = true
}

variable "kind" {
  type = string

  validation {
    condition     = contains(["chosen", "plain"], var.kind)
    error_message = "chosen or plain."
  }
}

# A secret where `kind` is "chosen", and none where it is "plain".
module "m" {
  source = "./m"
  name   = try({ chosen = var.secret ? "a" : "b" }[var.kind], "none")
}
