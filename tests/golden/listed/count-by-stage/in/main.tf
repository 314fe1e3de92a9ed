variable "env" {
  type = string

  validation {
    condition     = contains(["prod", "dev"], var.env)
    error_message = "One of prod and dev."
  }
}

resource "terraform_data" "node" {
  count = 3
  input = {
    size = var.env == "prod" ? ["xl", "l", "l"][count.index] : "s"
    name = "n${count.index}"
  }
}

output "sizes" {
  value = terraform_data.node[*].output.size
}
