resource "terraform_data" "r9" {
  count = 2
  input = "b"
  triggers_replace = "m1.r9"
}
