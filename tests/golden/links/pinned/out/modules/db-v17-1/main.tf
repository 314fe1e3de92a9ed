module "instance" {
  source = "../db/modules/instance-v17-1"
  name   = var.name
}
