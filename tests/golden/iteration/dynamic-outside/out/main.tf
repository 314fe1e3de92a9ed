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

# phi: ebs_block_device.volume_size (aws_instance.app), network_interface.tuning.mtu (aws_instance.app) — gate: Existing(var.env == "prod") — trace: main.tf:13-48 — compiler: tf-phi golden
resource "aws_instance" "app_v200_v9001" {
  count = var.env == "prod" ? 1 : 0
  ami   = "ami-1"

  # One type for all entries, one size for all entries of an environment.
  dynamic "ebs_block_device" {
    for_each = local.volumes
    iterator = volume
    content {
      device_name = volume.key
      volume_size = 200
      volume_type = "gp3"
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
          mtu = 9001
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

# phi: ebs_block_device.volume_size (aws_instance.app), network_interface.tuning.mtu (aws_instance.app) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:13-48 — compiler: tf-phi golden
resource "aws_instance" "app_v20_v1500" {
  count = var.env == "prod" ? 0 : 1
  ami   = "ami-1"

  # One type for all entries, one size for all entries of an environment.
  dynamic "ebs_block_device" {
    for_each = local.volumes
    iterator = volume
    content {
      device_name = volume.key
      volume_size = 20
      volume_type = "gp3"
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
          mtu = 1500
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
