variable "env" {
  type = string
}

# Blocks that are written out have a value each, and so do those that a `dynamic` block makes beside them.
# phi: ebs_block_device.1.volume_size (aws_instance.app), ebs_block_device.2.volume_size (aws_instance.app) — gate: Existing(var.env == "prod") — trace: main.tf:6-21 — compiler: tf-phi golden
resource "aws_instance" "app_v200_v300" {
  count = var.env == "prod" ? 1 : 0
  ebs_block_device {
    volume_size = 20
  }

  ebs_block_device {
    volume_size = 200
  }

  dynamic "ebs_block_device" {
    for_each = ["a", "b"]
    content {
      volume_size = 300
    }
  }
}

# phi: ebs_block_device.1.volume_size (aws_instance.app), ebs_block_device.2.volume_size (aws_instance.app) — gate: Not(Existing(var.env == "prod")) — trace: main.tf:6-21 — compiler: tf-phi golden
resource "aws_instance" "app_v50_v30" {
  count = var.env == "prod" ? 0 : 1
  ebs_block_device {
    volume_size = 20
  }

  ebs_block_device {
    volume_size = 50
  }

  dynamic "ebs_block_device" {
    for_each = ["a", "b"]
    content {
      volume_size = 30
    }
  }
}
