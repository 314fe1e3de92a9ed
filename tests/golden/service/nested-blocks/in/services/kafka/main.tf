variable "cluster_name" {
  type = string
}

variable "nodes" {
  type = object({
    type    = string
    storage = optional(object({ ebs = optional(object({ size = optional(number) })) }))
    rule = optional(list(object({
      id         = string
      expiration = optional(object({ days = number }))
    })))
    public = optional(object({}))
  })
}

variable "user" {
  type    = list(object({ name = string, age = optional(number) }))
  default = []
}

output "all" {
  value = [var.nodes, var.user]
}
