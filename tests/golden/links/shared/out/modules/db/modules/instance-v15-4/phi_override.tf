# phi: what this copy has of its own in main.tf, which copies share
resource "terraform_data" "this" {
  input = {
    name       = var.name
    engine     = "15.4" # The version of the server.
    disk       = terraform_data.disk.output.name
    parameters = var.parameters
  }
}
