variable "env" {
  type = string
}

# Blocks that are written out have a value each, and so do those that a `dynamic` block makes beside them.
resource "aws_instance" "app" {
  ebs_block_device {
    volume_size = 20
  }

  ebs_block_device {
    volume_size = var.env == "prod" ? 200 : 50
  }

  dynamic "ebs_block_device" {
    for_each = ["a", "b"]
    content {
      volume_size = var.env == "prod" ? 300 : 30
    }
  }
}
