output "address" {
  value = terraform_data.this.output.name
}
