variable "zones" {
  type = list(string)

  # phi: the values that are specialised
  validation {
    condition     = jsonencode(var.zones) == jsonencode(["a", "b"])
    error_message = "zones must be [\"a\", \"b\"]: only this value is specialised. Add others to its universe in phi.hcl."
  }
}

# Where there are no subnets is said in the module, what zones they have in the root.
# phi: availability_zone (aws_subnet.this) — gate: Existing(true) — trace: modules/net/main.tf:9-12 — compiler: tf-phi golden
module "net" {
  source = "./modules/net-a-b"
  zones  = var.zones
}
