variable "bucket" {
  type = string
}

variable "versioning" {
  type    = object({ status = object({ value = string }) })
  default = null
}

variable "policy" {
  type    = object({ text = optional(string) })
  default = null
}

variable "nodes" {
  type    = list(object({ class = string, zone = optional(string) }))
  default = []
}

output "id" {
  value = var.bucket
}

output "arn" {
  value = "arn:${var.bucket}"
}
