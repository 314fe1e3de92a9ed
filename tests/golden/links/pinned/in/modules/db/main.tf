module "instance" {
  source = "./modules/instance"
  name   = var.name
  engine = var.engine
}
