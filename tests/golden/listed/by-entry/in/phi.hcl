specialize "aws_instance" {
  fields = ["ebs_block_device.volume_size"]
}
