# The value is the same for every key, listed or not: nothing has to be kept out.
variable "zones" {
  type = list(string)
}

# phi: input (terraform_data.zone) — gate: Existing(true) — trace: main.tf:6-9 — compiler: tf-phi golden
resource "terraform_data" "zone" {
  for_each = toset(var.zones)
  input    = "SAME"
}
