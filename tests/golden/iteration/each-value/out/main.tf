# phi: input (terraform_data.db) — gate: Eq(each.key, "a") — trace: main.tf:1-4 — compiler: tf-phi golden
resource "terraform_data" "db_v15_4" {
  for_each = { for each_key, each_value in { a = "15.4", b = "14.9" } : each_key => each_value if each_key == "a" }
  input    = "15.4"
}

# phi: input (terraform_data.db) — gate: Eq(each.key, "b") — trace: main.tf:1-4 — compiler: tf-phi golden
resource "terraform_data" "db_v14_9" {
  for_each = { for each_key, each_value in { a = "15.4", b = "14.9" } : each_key => each_value if each_key == "b" }
  input    = "14.9"
}
