variable "stage" {
  type = string
}

module "store" {
  source = var.stage == "live" ? "./modules/cluster" : "./modules/single"

  name           = "ledger-${var.stage}"
  engine_version = "16.4"
  class          = var.stage == "live" ? "db.r6g.xlarge" : "db.t4g.small"
}

resource "aws_route53_record" "store" {
  zone_id = "Z0000000000000"
  name    = "store"
  type    = "CNAME"
  ttl     = 300
  records = [module.store.host]
}
