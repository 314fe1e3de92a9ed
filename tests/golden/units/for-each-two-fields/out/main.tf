# Both fields are decided by the key of one call.
# phi: input (terraform_data.disk), input (terraform_data.node) — gate: Or(Eq(each.key, "a"), Eq(each.key, "c")) — trace: m/main.tf:5-7, inner/main.tf:5-7 — compiler: tf-phi golden
module "zone_disk_1_node_1" {
  source   = "./m-disk-1-node-1"
  for_each = { for each_key, each_value in { a = "1", b = "2", c = "1" } : each_key => each_value if !(each_key == "b") }
}

# phi: input (terraform_data.disk), input (terraform_data.node) — gate: Eq(each.key, "b") — trace: m/main.tf:5-7, inner/main.tf:5-7 — compiler: tf-phi golden
module "zone_disk_2_node_2" {
  source   = "./m-disk-2-node-2"
  for_each = { for each_key, each_value in { a = "1", b = "2", c = "1" } : each_key => each_value if each_key == "b" }
}
