resource "terraform_data" "volume" {
  input = "${5}Gi"
}
