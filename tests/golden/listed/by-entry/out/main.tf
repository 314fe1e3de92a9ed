locals {
  volumes = {
    data = { size = 200, tags = { n = "d" } }
    logs = { size = 20, tags = { n = "l" } }
  }
}

# phi: ebs_block_device.volume_size (aws_instance.app) — gate: Existing(true) — trace: main.tf:8-22 — compiler: tf-phi golden
resource "aws_instance" "app" {
  dynamic "ebs_block_device" {
    for_each = local.volumes
    iterator = volume
    labels   = [volume.key]
    content {
      device_name = "/dev/${volume.key}"
      volume_size = { data = 200, logs = 20 }[volume.key] # in GB

      nested {
        tags = merge(volume.value["tags"], { for volume in ["x"] : volume => 1 })
      }
    }
  }
}
