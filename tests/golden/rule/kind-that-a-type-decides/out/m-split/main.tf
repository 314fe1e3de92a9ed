variable "zones" {
  type = list(string)
}

# phi: input (terraform_data.zones) — gate: Existing(length(var.zones) == 0) — trace: m/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "zones_none" {
  count = length(var.zones) == 0 ? 1 : 0
  input = "none"
}

# phi: input (terraform_data.zones) — gate: Not(Existing(length(var.zones) == 0)) — trace: m/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "zones_some" {
  count = length(var.zones) == 0 ? 0 : 1
  input = "some"
}

output "zones" {
  value = one(concat(terraform_data.zones_none[*].output, terraform_data.zones_some[*].output))
}
