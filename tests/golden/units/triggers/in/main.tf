variable "env" { type = string }
resource "terraform_data" "db" {
  input = var.env == "prod" ? "15.4" : "14.9"
}
resource "terraform_data" "many" {
  for_each = toset(["a", "b"])
  input    = var.env == "prod" ? "many" : "few"
}
resource "terraform_data" "whole" {
  input = "w"
  lifecycle {
    replace_triggered_by = [
      terraform_data.db, # the database
    ]
  }
}
resource "terraform_data" "attr" {
  count = 2
  input = "w"
  lifecycle { replace_triggered_by = [terraform_data.db.input, resource.terraform_data.whole.id] }
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = "w"
  lifecycle { replace_triggered_by = [terraform_data.many[each.key].output] }
}
resource "terraform_data" "chain" {
  input = terraform_data.attr[0].input
  lifecycle { replace_triggered_by = [terraform_data.attr[1]] }
}
output "o" { value = [terraform_data.whole.input, terraform_data.attr[*].input, terraform_data.each["a"].input] }
