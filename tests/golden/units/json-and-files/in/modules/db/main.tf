variable "release" { type = string }
resource "terraform_data" "db" { input = var.release }
module "sub" {
  source = "./sub"
  tag    = "x-${var.release}"
}
module "x" { source = "../../x" }
locals {
  files = [
    file("${path.module}/note.txt"), templatefile("${path.module}/note.tpl", { r = var.release }),
    fileset(path.module, "*.txt"), filebase64("${path.module}/note.txt"), filesha256("${path.module}/note.txt"),
    fileexists("${path.module}/note.txt"),
  ]
}
output "path" { value = path.module }
output "release" { value = terraform_data.db.output }
output "all" { value = [local.files, module.sub.all, module.x.path, module.y.path, terraform_data.path.input, terraform_data.json.output] }
