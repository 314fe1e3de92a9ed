specialize "aws_instance.app" {
  fields = ["ebs_block_device.volume_size"]
}
