# aws_ecs_task_definition: nothing is made for it. Where AWS has an ARN stands the definition itself, which the deployment reads.

variable "container_definitions" {
  type = string
}

variable "cpu" {
  description = "In units of which 1024 are a CPU."
  type        = number
}

variable "memory" {
  description = "In MiB."
  type        = number
}

output "definition" {
  value = {
    containers = jsondecode(var.container_definitions)
    resources  = { cpu = "${var.cpu * 1000 / 1024}m", memory = "${var.memory}Mi" }
  }
}
