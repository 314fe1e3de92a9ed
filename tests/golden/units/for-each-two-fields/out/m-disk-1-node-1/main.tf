resource "terraform_data" "disk" {
  input = "disk-1"
}

module "inner" {
  source = "../inner-node-1"
}
