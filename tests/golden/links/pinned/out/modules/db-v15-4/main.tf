module "instance" {
  source = "../db/modules/instance-v15-4"
  name   = var.name
}
