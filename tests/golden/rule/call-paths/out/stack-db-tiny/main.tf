# phi: input (terraform_data.db) — gate: Existing(true) — trace: stack/db/main.tf:6-8 — compiler: tf-phi golden
module "db" {
  source = "../stack/db-db-tiny"
}
