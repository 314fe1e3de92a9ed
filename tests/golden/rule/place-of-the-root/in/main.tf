locals {
  here = basename(abspath(path.root))
}

# By the folder's name, as many do it; what it is, is known where Terraform runs.
resource "terraform_data" "w" {
  input = local.here == "prod" ? 1 : 2
}

resource "terraform_data" "x" {
  input = pathexpand("~/x") == "/home/somebody/x" ? 1 : 2
}

module "m" {
  source = "./m"
}
