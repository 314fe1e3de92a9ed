variable "tag" {}
resource "terraform_data" "deep" { input = var.tag }
output "all" { value = [terraform_data.deep.output, path.module, file("${path.module}/deep.txt")] }
