specialize "aws_efs_file_system" {
  fields = ["throughput_mode"]
}
