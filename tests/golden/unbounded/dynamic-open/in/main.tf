variable "volumes" {
  type = map(object({ size = number }))
}

resource "aws_instance" "app" {
  dynamic "ebs_block_device" {
    for_each = var.volumes
    content {
      volume_size = ebs_block_device.value.size
      volume_type = "gp3"
    }
  }
}
