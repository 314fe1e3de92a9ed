resource "terraform_data" "deep" { input = "x-15.4" }
output "all" { value = [terraform_data.deep.output, "modules/db/sub/deep", file("modules/db/sub/deep/deep.txt")] }
