variable "tags" { type = map(string) }

resource "terraform_data" "vm" {
  input            = "t3.small"
  triggers_replace = var.tags
}

output "size" { value = "t3.small" }
