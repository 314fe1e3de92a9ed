variable "stage" {
  type = string
}

locals {
  functions = {
    price = { runtime = "python3.13", memory = 512 }
    stock = { runtime = "nodejs22.x", memory = 256 }
    mail  = { runtime = var.stage == "live" ? "python3.12" : "python3.13", memory = 128 }
  }
}

module "function" {
  source   = "./modules/function"
  for_each = local.functions

  name    = each.key
  stage   = var.stage
  runtime = each.value.runtime
  memory  = each.value.memory
}

output "arns" {
  value = { for name, function in module.function : name => function.arn }
}
