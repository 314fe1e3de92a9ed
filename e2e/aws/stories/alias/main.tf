variable "continent" {
  type    = string
  default = "europe"

  validation {
    condition     = contains(["europe", "america"], var.continent)
    error_message = "continent is europe or america."
  }
}

module "mailbox" {
  source = "./modules/mailbox"
  name   = "harbour-mail-${var.continent}"

  providers = {
    aws = var.continent == "america" ? aws.west : aws.central
  }
}

output "queue" {
  value = module.mailbox.queue
}
