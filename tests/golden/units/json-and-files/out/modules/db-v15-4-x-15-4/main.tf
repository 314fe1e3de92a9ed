variable "release" { type = string }
resource "terraform_data" "db" { input = "15.4" }
module "sub" {
  source = "../db/sub-x-15-4"
}
module "x" { source = "../../x" }
locals {
  files = [
    file("modules/db/note.txt"), templatefile("modules/db/note.tpl", { r = var.release }),
    fileset("modules/db", "*.txt"), filebase64("modules/db/note.txt"), filesha256("modules/db/note.txt"),
    fileexists("modules/db/note.txt"),
  ]
}
output "path" { value = "modules/db" }
output "release" { value = terraform_data.db.output }
output "all" { value = [local.files, module.sub.all, module.x.path, module.y.path, terraform_data.path.input, terraform_data.json.output] }
