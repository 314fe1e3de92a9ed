# phi: what this copy has of its own in main.tf, which copies share
module "instance" {
  source = "../db/modules/instance-v17-1"
}

resource "terraform_data" "backup" {
  triggers_replace = "17.1"
}

output "address" {
  value = "${module.instance.address}:${"17"}"
}

output "engine" {
  value = "17.1"
}
