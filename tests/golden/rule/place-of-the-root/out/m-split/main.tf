# phi: input (terraform_data.y) — gate: Existing(basename(dirname(abspath(path.module))) == "w") — trace: m/main.tf:1-3 — compiler: tf-phi golden
resource "terraform_data" "y_v1" {
  count = basename(dirname(abspath("m"))) == "w" ? 1 : 0
  input = 1
}

# phi: input (terraform_data.y) — gate: Not(Existing(basename(dirname(abspath(path.module))) == "w")) — trace: m/main.tf:1-3 — compiler: tf-phi golden
resource "terraform_data" "y_v2" {
  count = basename(dirname(abspath("m"))) == "w" ? 0 : 1
  input = 2
}
