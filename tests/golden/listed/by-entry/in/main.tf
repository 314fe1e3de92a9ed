locals {
  volumes = {
    data = { size = 200, tags = { n = "d" } }
    logs = { size = 20, tags = { n = "l" } }
  }
}

resource "aws_instance" "app" {
  dynamic "ebs_block_device" {
    for_each = local.volumes
    iterator = volume
    labels   = [volume.key]
    content {
      device_name = "/dev/${volume.key}"
      volume_size = volume.value.size # in GB

      nested {
        tags = merge(volume.value["tags"], { for volume in ["x"] : volume => 1 })
      }
    }
  }
}
