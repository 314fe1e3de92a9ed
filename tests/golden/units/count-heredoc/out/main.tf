variable "env" {
  type = string
}

# phi: input (terraform_data.vm) — gate: Existing(var.env == "prod") — trace: main.tf:5-10 — compiler: tf-phi golden
resource "terraform_data" "vm_large" {
  count = var.env == "prod" ? (<<-E
    ${length(var.env)}
  E
  ) : 0
  input = "large"
}

# phi: input (terraform_data.vm) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:5-10 — compiler: tf-phi golden
resource "terraform_data" "vm_small" {
  count = var.env == "prod" ? 0 : (<<-E
    ${length(var.env)}
  E
  )
  input = "small"
}

# phi: input (terraform_data.named) — gate: Existing(var.env == "prod") — trace: main.tf:12-18 — compiler: tf-phi golden
resource "terraform_data" "named_large" {
  count = var.env == "prod" ? (var.env == "" ? 0 : chomp(<<-E
    2
  E
  )) : 0
  input = "large"
}

# phi: input (terraform_data.named) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:12-18 — compiler: tf-phi golden
resource "terraform_data" "named_small" {
  count = var.env == "prod" ? 0 : (var.env == "" ? 0 : chomp(<<-E
    2
  E
  ))
  input = "small"
}

# phi: input (terraform_data.keyed) — gate: Existing(var.env == "prod") — trace: main.tf:20-27 — compiler: tf-phi golden
resource "terraform_data" "keyed_large" {
  for_each = toset([for each_key in(toset(split("\n", <<-E
    a
    b
  E
  ))) : each_key if var.env == "prod"])
  input = "large"
}

# phi: input (terraform_data.keyed) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:20-27 — compiler: tf-phi golden
resource "terraform_data" "keyed_small" {
  for_each = toset([for each_key in(toset(split("\n", <<-E
    a
    b
  E
  ))) : each_key if !(var.env == "prod")])
  input = "small"
}
