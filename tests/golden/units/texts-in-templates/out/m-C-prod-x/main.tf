# phi: input (terraform_data.run) — gate: Existing(true) — trace: m/main.tf:5-7 — compiler: tf-phi golden
resource "terraform_data" "run" {
  input = "C:\\prod \"x\""
}

output "all" {
  value = [
    "quoted C:\\prod \"x\"",
    "stripped ${~ "C:\\prod \"x\"" ~} ${"C:\\prod \"x\""}",
    "beside %C:\\prod \"x\"{",
    <<EOT
dir = C:\prod "x"
${"C:\\prod \"x\""} first
E${"C:\\prod \"x\""}
EOT
    ,
    <<-EOT
      dir = C:\prod "x"
        ${"C:\\prod \"x\""}
    EOT
    ,
  ]
}
