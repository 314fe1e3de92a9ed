variable "size" { type = string }
variable "tags" { type = map(string) }

resource "terraform_data" "vm" {
  input            = var.size
  triggers_replace = var.tags
}

output "size" { value = var.size }
