variable "prod" {
  type     = bool
  nullable = false
}

locals {
  size = var.prod ? "large" : "small"
}

# Collections of every kind: the key is one thing, the value another.
# phi: input (terraform_data.object) — gate: And(Eq(each.key, "a"), Existing(var.prod)) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "object_large" {
  for_each = { for each_key, each_value in { a = local.size, b = "fixed" } : each_key => each_value if each_key == "a" && var.prod }
  input    = "large"
}

# phi: input (terraform_data.object) — gate: And(Eq(each.key, "a"), Not(Existing(var.prod))) — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "object_small" {
  for_each = { for each_key, each_value in { a = local.size, b = "fixed" } : each_key => each_value if each_key == "a" && !var.prod }
  input    = "small"
}

# phi: input (terraform_data.object) — gate: Eq(each.key, "b") — trace: main.tf:11-14 — compiler: tf-phi golden
resource "terraform_data" "object_fixed" {
  for_each = { for each_key, each_value in { a = local.size, b = "fixed" } : each_key => each_value if each_key == "b" }
  input    = "fixed"
}

# phi: input (terraform_data.map) — gate: Eq(each.key, "a") — trace: main.tf:16-19 — compiler: tf-phi golden
resource "terraform_data" "map_a_x" {
  for_each = { for each_key, each_value in tomap({ a = "x", b = "y" }) : each_key => each_value if each_key == "a" }
  input    = "a-x"
}

# phi: input (terraform_data.map) — gate: Eq(each.key, "b") — trace: main.tf:16-19 — compiler: tf-phi golden
resource "terraform_data" "map_b_y" {
  for_each = { for each_key, each_value in tomap({ a = "x", b = "y" }) : each_key => each_value if each_key == "b" }
  input    = "b-y"
}

# phi: input (terraform_data.set) — gate: And(Eq(each.key, "a"), Existing(var.prod)) — trace: main.tf:21-24 — compiler: tf-phi golden
resource "terraform_data" "set_a_large" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if each_key == "a" && var.prod])
  input    = "a-large"
}

# phi: input (terraform_data.set) — gate: And(Eq(each.key, "a"), Not(Existing(var.prod))) — trace: main.tf:21-24 — compiler: tf-phi golden
resource "terraform_data" "set_a_small" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if each_key == "a" && !var.prod])
  input    = "a-small"
}

# phi: input (terraform_data.set) — gate: And(Eq(each.key, "b"), Existing(var.prod)) — trace: main.tf:21-24 — compiler: tf-phi golden
resource "terraform_data" "set_b_large" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if each_key == "b" && var.prod])
  input    = "b-large"
}

# phi: input (terraform_data.set) — gate: And(Eq(each.key, "b"), Not(Existing(var.prod))) — trace: main.tf:21-24 — compiler: tf-phi golden
resource "terraform_data" "set_b_small" {
  for_each = toset([for each_key in toset(["a", "b"]) : each_key if each_key == "b" && !var.prod])
  input    = "b-small"
}

# phi: input (terraform_data.of_functions) — gate: Eq(each.key, "a") — trace: main.tf:26-29 — compiler: tf-phi golden
resource "terraform_data" "of_functions_v1" {
  for_each = { for each_key, each_value in merge({ a = "1" }, zipmap(["b", "c"], [local.size, "3"])) : each_key => each_value if each_key == "a" }
  input    = "1"
}

# phi: input (terraform_data.of_functions) — gate: And(Eq(each.key, "b"), Existing(var.prod)) — trace: main.tf:26-29 — compiler: tf-phi golden
resource "terraform_data" "of_functions_large" {
  for_each = { for each_key, each_value in merge({ a = "1" }, zipmap(["b", "c"], [local.size, "3"])) : each_key => each_value if each_key == "b" && var.prod }
  input    = "large"
}

# phi: input (terraform_data.of_functions) — gate: And(Eq(each.key, "b"), Not(Existing(var.prod))) — trace: main.tf:26-29 — compiler: tf-phi golden
resource "terraform_data" "of_functions_small" {
  for_each = { for each_key, each_value in merge({ a = "1" }, zipmap(["b", "c"], [local.size, "3"])) : each_key => each_value if each_key == "b" && !var.prod }
  input    = "small"
}

# phi: input (terraform_data.of_functions) — gate: Eq(each.key, "c") — trace: main.tf:26-29 — compiler: tf-phi golden
resource "terraform_data" "of_functions_v3" {
  for_each = { for each_key, each_value in merge({ a = "1" }, zipmap(["b", "c"], [local.size, "3"])) : each_key => each_value if each_key == "c" }
  input    = "3"
}

# phi: input (terraform_data.of_a_for) — gate: Or(Eq(each.key, "a-x"), Eq(each.key, "b-x")) — trace: main.tf:31-34 — compiler: tf-phi golden
resource "terraform_data" "of_a_for_X" {
  for_each = { for each_key, each_value in { for pair in setproduct(["a", "b"], ["x", "y"]) : join("-", pair) => pair[1] } : each_key => each_value if contains(["a-x", "b-x"], each_key) }
  input    = "X"
}

# phi: input (terraform_data.of_a_for) — gate: Or(Eq(each.key, "a-y"), Eq(each.key, "b-y")) — trace: main.tf:31-34 — compiler: tf-phi golden
resource "terraform_data" "of_a_for_Y" {
  for_each = { for each_key, each_value in { for pair in setproduct(["a", "b"], ["x", "y"]) : join("-", pair) => pair[1] } : each_key => each_value if contains(["a-y", "b-y"], each_key) }
  input    = "Y"
}

# phi: input (terraform_data.counted) — gate: Existing(var.prod) — trace: main.tf:36-39 — compiler: tf-phi golden
resource "terraform_data" "counted_large" {
  count = var.prod ? (var.prod ? 3 : 1) : 0
  input = "large"
}

# phi: input (terraform_data.counted) — gate: Not(Existing(var.prod)) — trace: main.tf:36-39 — compiler: tf-phi golden
resource "terraform_data" "counted_small" {
  count = var.prod ? 0 : (var.prod ? 3 : 1)
  input = "small"
}

# What differs by the key alone has gates that ask for the key.
# phi: input (terraform_data.by_key) — gate: Existing(each.key == "a") — trace: main.tf:42-45 — compiler: tf-phi golden
resource "terraform_data" "by_key_first" {
  for_each = toset([for each_key in toset(["a", "b", "c"]) : each_key if each_key == "a"])
  input    = "first"
}

# phi: input (terraform_data.by_key) — gate: Not(Existing(each.key == "a")) — trace: main.tf:42-45 — compiler: tf-phi golden
resource "terraform_data" "by_key_later" {
  for_each = toset([for each_key in toset(["a", "b", "c"]) : each_key if !(each_key == "a")])
  input    = "later"
}

# A `for` over what is chosen.
# phi: input (terraform_data.listed) — gate: Existing(var.prod) — trace: main.tf:48-50 — compiler: tf-phi golden
resource "terraform_data" "listed_A_B" {
  count = var.prod ? 1 : 0
  input = ["A", "B"]
}

# phi: input (terraform_data.listed) — gate: Not(Existing(var.prod)) — trace: main.tf:48-50 — compiler: tf-phi golden
resource "terraform_data" "listed_A" {
  count = var.prod ? 0 : 1
  input = ["A"]
}
