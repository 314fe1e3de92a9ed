resource "terraform_data" "r9" {
  count = 2
  input = "a"
  triggers_replace = "m1.r9"
}
