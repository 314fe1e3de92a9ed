required_providers {
  terraform = {
    source = "terraform.io/builtin/terraform"
  }
}

provider "terraform" "main" {}

variable "name" {
  type = string
}

variable "durable" {
  type    = bool
  default = true
}

component "topic" {
  source = "../modules/service"

  inputs = {
    name    = var.name
    network = "shared"
    subnets = ["10.255.0.0/24"]
    size    = var.durable ? "large" : "small"
  }

  providers = {
    terraform = provider.terraform.main
  }
}

output "address" {
  type  = string
  value = component.topic.url
}
