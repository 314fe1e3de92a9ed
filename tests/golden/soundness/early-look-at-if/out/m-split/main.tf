variable "name" {
  type = string
}

# phi: input (terraform_data.by_value) — gate: Eq(join("-", toset([each.value.s, each.key])), "a-k1") — trace: m/main.tf:5-11 — compiler: tf-phi golden
resource "terraform_data" "by_value_a_k1" {
  for_each = { for each_key, each_value in {
    k1 = { s = var.name }
    k2 = { s = try({ u = var.name }.missing, var.name) }
  } : each_key => each_value if each_key != null ? join("-", toset([each_value.s, each_key])) == "a-k1" : false }
  input = "a-k1"
}

# phi: input (terraform_data.by_value) — gate: Eq(join("-", toset([each.value.s, each.key])), "a-k2") — trace: m/main.tf:5-11 — compiler: tf-phi golden
resource "terraform_data" "by_value_a_k2" {
  for_each = { for each_key, each_value in {
    k1 = { s = var.name }
    k2 = { s = try({ u = var.name }.missing, var.name) }
  } : each_key => each_value if each_key != null ? join("-", toset([each_value.s, each_key])) == "a-k2" : false }
  input = "a-k2"
}

# phi: input (terraform_data.by_value) — gate: Eq(join("-", toset([each.value.s, each.key])), "-k1") — trace: m/main.tf:5-11 — compiler: tf-phi golden
resource "terraform_data" "by_value_k1" {
  for_each = { for each_key, each_value in {
    k1 = { s = var.name }
    k2 = { s = try({ u = var.name }.missing, var.name) }
  } : each_key => each_value if each_key != null ? join("-", toset([each_value.s, each_key])) == "-k1" : false }
  input = "-k1"
}

# phi: input (terraform_data.by_value) — gate: Eq(join("-", toset([each.value.s, each.key])), "-k2") — trace: m/main.tf:5-11 — compiler: tf-phi golden
resource "terraform_data" "by_value_k2" {
  for_each = { for each_key, each_value in {
    k1 = { s = var.name }
    k2 = { s = try({ u = var.name }.missing, var.name) }
  } : each_key => each_value if each_key != null ? join("-", toset([each_value.s, each_key])) == "-k2" : false }
  input = "-k2"
}
