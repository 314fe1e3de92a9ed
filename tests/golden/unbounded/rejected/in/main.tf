resource "terraform_data" "db" {
  input = local.nowhere
}
