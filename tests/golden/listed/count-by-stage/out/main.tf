variable "env" {
  type = string

  validation {
    condition     = contains(["prod", "dev"], var.env)
    error_message = "One of prod and dev."
  }
}

# phi: input.size (terraform_data.node) — gate: Existing(var.env == "prod") — trace: main.tf:10-16 — compiler: tf-phi golden
resource "terraform_data" "node_xl_l_l" {
  count = var.env == "prod" ? 3 : 0
  input = {
    size = ["xl", "l", "l"][count.index]
    name = "n${count.index}"
  }
}

# phi: input.size (terraform_data.node) — gate: Existing(var.env == "dev") — trace: main.tf:10-16 — compiler: tf-phi golden
resource "terraform_data" "node_s_s_s" {
  count = var.env == "dev" ? 3 : 0
  input = {
    size = ["s", "s", "s"][count.index]
    name = "n${count.index}"
  }
}

output "sizes" {
  value = concat(terraform_data.node_xl_l_l, terraform_data.node_s_s_s)[*].output.size
}
