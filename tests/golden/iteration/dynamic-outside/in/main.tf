variable "env" {
  type     = string
  nullable = false
}

locals {
  volumes = {
    data = { size = var.env == "prod" ? 200 : 20, type = "gp3" }
    logs = { size = var.env == "prod" ? 200 : 20, type = "gp3" }
  }
}

resource "aws_instance" "app" {
  ami = "ami-1"

  # One type for all entries, one size for all entries of an environment.
  dynamic "ebs_block_device" {
    for_each = local.volumes
    iterator = volume
    content {
      device_name = volume.key
      volume_size = volume.value.size
      volume_type = volume.value.type
    }
  }

  # The environment chooses the entries.
  dynamic "network_interface" {
    for_each = var.env == "prod" ? { wan = 9001 } : { lan = 1500 }
    content {
      device_index = 0
      dynamic "tuning" {
        for_each = [network_interface.value]
        content {
          mtu = tuning.value
        }
      }
    }
  }

  # Never there.
  dynamic "timeouts" {
    for_each = []
    content {
      create = timeouts.value
    }
  }
}
