# phi: what this copy has of its own in main.tf, which copies share
module "instance" {
  source = "../db/modules/instance-v16-2"
}

resource "terraform_data" "backup" {
  triggers_replace = "16.2"
}

output "address" {
  value = "${module.instance.address}:${"16"}"
}

output "engine" {
  value = "16.2"
}
