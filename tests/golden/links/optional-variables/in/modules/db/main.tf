resource "terraform_data" "this" {
  input = {
    name   = var.name
    engine = var.engine
    class  = var.class
    port   = var.port
  }
}
