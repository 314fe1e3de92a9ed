resource "terraform_data" "db" {
  input            = "16.2"
  triggers_replace = "db.t3"
}
