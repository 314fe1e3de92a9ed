variable "v3" {
  type = string
}
module "c19" {
  source = "./m"
  p11 = (var.v3 == "b")
}
# phi: input (terraform_data.r20) — gate: Existing((local.l13 == 15.4)) — trace: main.tf:8-10 — compiler: tf-phi golden
resource "terraform_data" "r20_prod" {
  count = var.v3 == "b" ? 1 : 0
  input = "prod"
}

# phi: input (terraform_data.r20) — gate: Not(Existing((local.l13 == 15.4))) — trace: main.tf:8-10 — compiler: tf-phi golden
resource "terraform_data" "r20_a" {
  count = var.v3 == "b" ? 0 : 1
  input = "a"
}
