data "external" "versions" {
  program = ["versions"]
}

output "postgres" {
  value = data.external.versions.result.postgres
}
