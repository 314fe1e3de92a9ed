variable "v3" {
  type = string
}
module "c19" {
  source = "./m"
  p11 = (var.v3 == "b")
}
resource "terraform_data" "r20" {
  input = module.c19.o17.a
}
