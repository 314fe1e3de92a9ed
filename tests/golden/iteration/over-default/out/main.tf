# The entries are the default's, and a validation says so.
variable "items" {
  type    = map(object({ size = number, kind = optional(string, "std") }))
  default = { a = { size = 1 }, b = { size = 2, kind = "big" } }

  # phi: the values that are specialised
  validation {
    condition     = jsonencode(var.items) == jsonencode({ a = { kind = "std", size = 1 }, b = { kind = "big", size = 2 } })
    error_message = "items must be { a = { kind = \"std\", size = 1 }, b = { kind = \"big\", size = 2 } }: only the default is specialised. List other values in phi.hcl."
  }
}

variable "names" {
  type    = set(string)
  default = ["q", "p"]

  # phi: the values that are specialised
  validation {
    condition     = jsonencode(var.names) == jsonencode(["p", "q"])
    error_message = "names must be [\"p\", \"q\"]: only the default is specialised. List other values in phi.hcl."
  }
}

# phi: input (terraform_data.item) — gate: Eq(each.key, "a") — trace: main.tf:12-16 — compiler: tf-phi golden
resource "terraform_data" "item_v1" {
  for_each         = { for each_key, each_value in var.items : each_key => each_value if each_key == "a" }
  input            = 1
  triggers_replace = each.value.kind
}

# phi: input (terraform_data.item) — gate: Eq(each.key, "b") — trace: main.tf:12-16 — compiler: tf-phi golden
resource "terraform_data" "item_v2" {
  for_each         = { for each_key, each_value in var.items : each_key => each_value if each_key == "b" }
  input            = 2
  triggers_replace = each.value.kind
}

# phi: input (terraform_data.sorted) — gate: Existing(true) — trace: main.tf:18-20 — compiler: tf-phi golden
resource "terraform_data" "sorted" {
  input = tolist(["P", "Q"])
}

# phi: input (terraform_data.inner) — gate: Existing(true) — trace: m/main.tf:5-7 — compiler: tf-phi golden
module "m" {
  for_each = { for k, v in var.items : "x-${k}" => v if v.size > 1 }
  source   = "./m-v2"
}
