module "m" {
  source = "./m"
  nmae   = "x"
}
