variable "tag" {}
module "deep" {
  source = "./deep"
  tag    = var.tag
}
output "all" { value = [module.deep.all, file("${path.module}/sub.txt"), path.module] }
