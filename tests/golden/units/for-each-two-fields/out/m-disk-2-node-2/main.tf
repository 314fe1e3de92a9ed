resource "terraform_data" "disk" {
  input = "disk-2"
}

module "inner" {
  source = "../inner-node-2"
}
