variable "alarms" {}
resource "terraform_data" "x" {
  for_each = var.alarms
  input = each.value
}
