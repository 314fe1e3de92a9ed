resource "terraform_data" "deep" { input = "x-14.9" }
output "all" { value = [terraform_data.deep.output, "modules/db/sub/deep", file("modules/db/sub/deep/deep.txt")] }
