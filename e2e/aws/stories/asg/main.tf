variable "stage" {
  type = string
}

variable "machine" {
  type = string

  validation {
    condition     = contains(["t3.large", "c6i.xlarge"], var.machine)
    error_message = "machine is t3.large or c6i.xlarge."
  }
}

module "runners" {
  source = "./modules/autoscaling"

  name                = "runners-${var.stage}"
  min_size            = 1
  max_size            = var.stage == "live" ? 20 : 3
  vpc_zone_identifier = ["subnet-0aaaaaaa"]

  image_id          = "ami-00000000000000001"
  instance_type     = var.machine
  enable_monitoring = var.stage == "live"

  tags = { Stage = var.stage }
}

output "group" {
  value = module.runners.autoscaling_group_arn
}
