resource "terraform_data" "first" {
}

module "versions" {
  source     = "./versions"
  depends_on = [terraform_data.first]
}

resource "terraform_data" "db" {
  input = module.versions.postgres == "15" ? "15.4" : "14.9"
}
