# phi: aws_db_instance.app — service: pg — form factor: on-prem
module "app" {
  source         = "./services/pg"
  engine_version = "15.4"
  depends_on     = [terraform_data.before]
}

resource "terraform_data" "before" {}

removed {
  from = aws_db_instance.old

  lifecycle {
    destroy = false
  }
}
