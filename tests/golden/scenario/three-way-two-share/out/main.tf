variable "env" {
  type = string
}

variable "region" {
  type = string
}

# phi: input (terraform_data.vm) — gate: Or(Existing(var.env == "prod"), And(Not(Existing(var.env == "prod")), Existing(var.region == "us-east-1"))) — trace: node/main.tf:4-7 — compiler: tf-phi golden
module "node_m5_xlarge" {
  count  = var.env == "prod" || var.region == "us-east-1" ? 1 : 0
  source = "./node-m5-xlarge"
  # kept as it is
  tags = { env = var.env }
}

# phi: input (terraform_data.vm) — gate: And(Not(Existing(var.env == "prod")), Not(Existing(var.region == "us-east-1"))) — trace: node/main.tf:4-7 — compiler: tf-phi golden
module "node_t3_small" {
  count  = var.env == "prod" || var.region == "us-east-1" ? 0 : 1
  source = "./node-t3-small"
  # kept as it is
  tags = { env = var.env }
}

output "size" {
  value = "is ${one(concat(module.node_m5_xlarge[*].size, module.node_t3_small[*].size))}"
}
