locals {
  here = basename(abspath(path.root))
}

# By the folder's name, as many do it; what it is, is known where Terraform runs.
# phi: input (terraform_data.w) — gate: Existing(local.here == "prod") — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "w_v1" {
  count = local.here == "prod" ? 1 : 0
  input = 1
}

# phi: input (terraform_data.w) — gate: Not(Existing(local.here == "prod")) — trace: main.tf:6-8 — compiler: tf-phi golden
resource "terraform_data" "w_v2" {
  count = local.here == "prod" ? 0 : 1
  input = 2
}

# phi: input (terraform_data.x) — gate: Existing(pathexpand("~/x") == "/home/somebody/x") — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "x_v1" {
  count = pathexpand("~/x") == "/home/somebody/x" ? 1 : 0
  input = 1
}

# phi: input (terraform_data.x) — gate: Not(Existing(pathexpand("~/x") == "/home/somebody/x")) — trace: main.tf:10-12 — compiler: tf-phi golden
resource "terraform_data" "x_v2" {
  count = pathexpand("~/x") == "/home/somebody/x" ? 0 : 1
  input = 2
}

module "m" {
  source = "./m-split"
}
