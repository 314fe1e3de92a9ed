# phi: input (terraform_data.run) — gate: Existing(true) — trace: m/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "run" {
  input = "15.4"
}

output "all" {
  value = [
    "quoted 15.4",
    "stripped ${~ "15.4" ~} ${"15.4"}",
    "beside %15.4{",
    <<EOT
dir = 15.4
${"15.4"} first
E${"15.4"}
EOT
    ,
    <<-EOT
      dir = 15.4
        ${"15.4"}
    EOT
    ,
  ]
}
