variable "name" {
  type = string
}

variable "engine" {
  type = string
}

locals {
  parts = split(".", var.engine)
  tools = "postgresql-client"
}

module "instance" {
  source = "./modules/instance"

  name   = var.name
  engine = var.engine
}

resource "terraform_data" "backup" {
  input            = { name = var.name, tools = local.tools, instance = module.instance.address }
  triggers_replace = var.engine
}

resource "terraform_data" "monitor" {
  input = {
    name = var.name
    alarms = {
      connections = {
        description = "how many clients are connected"
        threshold   = 60
        channels    = ["mail", "pager"]
      }
      replication = {
        description = "how far the replica is behind"
        threshold   = 65
        channels    = ["mail", "pager"]
      }
      storage = {
        description = "how full the disk is"
        threshold   = 70
        channels    = ["mail", "pager"]
      }
      vacuum = {
        description = "how old the oldest transaction is"
        threshold   = 75
        channels    = ["mail", "pager"]
      }
      locks = {
        description = "how long a lock is waited for"
        threshold   = 80
        channels    = ["mail", "pager"]
      }
      cache = {
        description = "how much is read from memory"
        threshold   = 85
        channels    = ["mail", "pager"]
      }
      checkpoints = {
        description = "how often they are forced"
        threshold   = 90
        channels    = ["mail", "pager"]
      }
    }
  }
}

resource "terraform_data" "report" {
  count = 2
  input = {
    name    = var.name
    monitor = terraform_data.monitor.output.name
    days    = [1, 7]
    to = [
      "operations@example.org",
      "development@example.org",
      "management@example.org",
      "audit@example.org",
    ]
  }

  lifecycle {
    ignore_changes = [triggers_replace]
  }
}

data "terraform_remote_state" "network" {
  count   = 0
  backend = "local"

  config = {
    path = "network.tfstate"
  }
}

output "address" {
  value = "${module.instance.address}:${local.parts[0]}"
}

output "engine" {
  value = var.engine
}

output "network" {
  value = one(data.terraform_remote_state.network[*].outputs)
}

output "tools" {
  value = local.tools
}
