resource "terraform_data" "node" {
  input = "node-2"
}
