resource "terraform_data" "this" {
  input = {
    name   = var.name
    engine = "15.4"
    class  = "large"
    port   = 5432
  }
}
