module "instance" {
  source = "../db/modules/instance-v16-2"
  name   = var.name
}
