# A driven text is written as what it is in each template: plainly where that is proved to be the same, else as `${"…"}`.
# phi: input (terraform_data.run) — gate: Existing(true) — trace: m/main.tf:5-7 — compiler: tf-phi golden
module "script" {
  source = "./m-C-prod-x"
}

# phi: input (terraform_data.run) — gate: Existing(true) — trace: m/main.tf:5-7 — compiler: tf-phi golden
module "plain" {
  source = "./m-v15-4"
}

output "all" {
  value = [module.script.all, module.plain.all]
}
