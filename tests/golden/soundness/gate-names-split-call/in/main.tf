variable "n" {
  type = number
}

module "size" {
  source = "./m"
  p      = var.n == 15 ? "b" : "dev"
}

resource "terraform_data" "r" {
  input = module.size.known ? (contains(["b"], module.size.names["k1"]) ? (var.n != 10 ? "dev" : "a") : "a") : "z"
}
