resource "terraform_data" "node" {
  input = "node-1"
}
