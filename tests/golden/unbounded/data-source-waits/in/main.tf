resource "terraform_data" "first" {
}

data "external" "versions" {
  program    = ["versions"]
  depends_on = [terraform_data.first]
}

resource "terraform_data" "db" {
  input = data.external.versions.result.postgres == "15" ? "15.4" : "14.9"
}
