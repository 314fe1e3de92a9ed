# phi: input (terraform_data.db) — gate: Existing(true) — trace: stack/data/postgres/main.tf:3-5 — compiler: tf-phi golden
module "stack" {
  source = "./stack-v15-4"
}
