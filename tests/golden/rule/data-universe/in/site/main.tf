data "terraform_remote_state" "zone" { backend = "local" }

output "zone" {
  value = data.terraform_remote_state.zone.outputs.zone
}
