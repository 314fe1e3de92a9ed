# Both fields are decided by the key of one call.
module "zone" {
  source   = "./m"
  for_each = { a = "1", b = "2", c = "1" }
  size     = each.value
}
