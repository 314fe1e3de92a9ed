resource "terraform_data" "db" {
  input            = "15.4"
  triggers_replace = "db.r6"
}
