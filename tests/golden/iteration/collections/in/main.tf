variable "prod" {
  type     = bool
  nullable = false
}

locals {
  size = var.prod ? "large" : "small"
}

# Collections of every kind: the key is one thing, the value another.
resource "terraform_data" "object" {
  for_each = { a = local.size, b = "fixed" }
  input    = each.value
}

resource "terraform_data" "map" {
  for_each = tomap({ a = "x", b = "y" })
  input    = "${each.key}-${each.value}"
}

resource "terraform_data" "set" {
  for_each = toset(["a", "b"])
  input    = "${each.value}-${local.size}"
}

resource "terraform_data" "of_functions" {
  for_each = merge({ a = "1" }, zipmap(["b", "c"], [local.size, "3"]))
  input    = each.value
}

resource "terraform_data" "of_a_for" {
  for_each = { for pair in setproduct(["a", "b"], ["x", "y"]) : join("-", pair) => pair[1] }
  input    = upper(each.value)
}

resource "terraform_data" "counted" {
  count = var.prod ? 3 : 1
  input = local.size
}

# What differs by the key alone has gates that ask for the key.
resource "terraform_data" "by_key" {
  for_each = toset(["a", "b", "c"])
  input    = each.key == "a" ? "first" : "later"
}

# A `for` over what is chosen.
resource "terraform_data" "listed" {
  input = [for zone in var.prod ? ["a", "b"] : ["a"] : upper(zone)]
}
