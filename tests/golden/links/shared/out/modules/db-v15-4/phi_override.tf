# phi: what this copy has of its own in main.tf, which copies share
module "instance" {
  source = "../db/modules/instance-v15-4"
}

resource "terraform_data" "backup" {
  triggers_replace = "15.4"
}

output "address" {
  value = "${module.instance.address}:${"15"}"
}

output "engine" {
  value = "15.4"
}
