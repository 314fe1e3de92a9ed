# A Stack: a network and a service in each region, and a queue for all of them in a Stack of its own. `tf-phi matrix` says what they are in
# each deployment; `tf-phi plan --env dev` plans one without HCP. No provider has to be installed.

required_providers {
  terraform = {
    source = "terraform.io/builtin/terraform"
  }
}

# A configuration for each region, which a root module can't have.
provider "terraform" "in" {
  for_each = var.regions
}

variable "env" {
  type = string

  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "One of dev, prod."
  }
}

variable "regions" {
  type = set(string)
}

variable "network" {
  type = object({
    cidr    = string
    subnets = optional(number, 2)
  })
}

locals {
  # Each region gets a part of the network, in the order of their names.
  cidrs = { for at, region in sort(var.regions) : region => cidrsubnet(var.network.cidr, 4, at) }
}

component "network" {
  for_each = var.regions
  source   = "./modules/network"

  inputs = {
    name    = "${var.env}-${each.key}"
    cidr    = local.cidrs[each.key]
    subnets = var.network.subnets
  }

  providers = {
    terraform = provider.terraform.in[each.key]
  }
}

stack "queue" {
  source = "./queue"

  inputs = {
    name    = "${var.env}-orders"
    durable = var.env == "prod"
  }
}

component "service" {
  for_each = var.regions
  source   = "./modules/service"

  inputs = {
    name    = "shop"
    network = component.network[each.key].name
    subnets = component.network[each.key].subnets
    queue   = stack.queue.address
    size    = var.env == "prod" ? "large" : "small"
  }

  providers = {
    terraform = provider.terraform.in[each.key]
  }
}

output "urls" {
  type  = map(string)
  value = { for region, service in component.service : region => service.url }
}
