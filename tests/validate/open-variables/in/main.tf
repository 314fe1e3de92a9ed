variable "region" {
  type = string
}

variable "name" {
  type = string

  validation {
    condition     = length(var.name) > 3
    error_message = "Too short."
  }
}

# Any index fails for some text that nobody uses, so this is no finding.
locals {
  zone = { eu = "eu-1", us = "us-1" }[var.region]
}

# The configuration itself names this value.
locals {
  special = var.region == "ap" ? { eu = 1 }["ap"] : 2
}
