locals {
  machines = {
    default = { type = "t3.nano", number = 1 }
    preview = { type = "t3.small", number = 1 }
    live    = { type = "c6i.large", number = 2 }
  }
  machine = local.machines[terraform.workspace]
}

module "proxy" {
  source = "./modules/ec2-instance"
  count  = local.machine.number

  name          = "proxy-${terraform.workspace}-${count.index}"
  ami           = "ami-00000000000000001"
  instance_type = local.machine.type
  subnet_id     = "subnet-0aaaaaaa"
}

output "proxies" {
  value = module.proxy[*].id
}
