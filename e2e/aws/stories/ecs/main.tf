variable "stage" {
  type    = string
  default = "test"
}

module "cluster" {
  source       = "./modules/ecs/modules/cluster"
  cluster_name = "jobs-${var.stage}"
}

module "job" {
  source   = "./modules/ecs/modules/service"
  for_each = toset(["import", "export"])

  name        = each.key
  cluster_arn = module.cluster.arn
  cpu         = 256
  memory      = 512

  container_definitions = {
    job = {
      image     = "busybox:1.37"
      essential = true
    }
  }

  subnet_ids            = ["subnet-0aaaaaaa"]
  create_security_group = false

  keep_strategy = var.stage == "live"
}

output "jobs" {
  value = { for name, job in module.job : name => job.name }
}
