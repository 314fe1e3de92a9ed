variable "kind" {}
module "a" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.0.0"
}
module "b" {
  source = "./modules/${var.kind}"
}
resource "terraform_data" "x" {
  input = [module.a.x, module.b.y]
}
