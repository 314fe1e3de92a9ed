resource "terraform_data" "this" {
  input = {
    name   = var.name
    engine = "16.2"
    class  = "small"
    port   = 5433
  }
}
