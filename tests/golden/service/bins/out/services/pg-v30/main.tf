resource "terraform_data" "volume" {
  input = "${30}Gi"
}
