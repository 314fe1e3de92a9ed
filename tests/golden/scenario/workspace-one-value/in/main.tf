resource "terraform_data" "db" {
  input = startswith(terraform.workspace, "p") || terraform.workspace == "default" ? "plain" : "odd"
}
