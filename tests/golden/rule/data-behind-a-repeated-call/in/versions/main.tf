data "external" "versions" {
  program = ["versions"]
}

resource "terraform_data" "db" {
  input = data.external.versions.result.postgres
}
