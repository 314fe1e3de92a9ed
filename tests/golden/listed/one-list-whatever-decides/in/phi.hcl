specialize "aws_subnet" {
  fields = ["availability_zone"]
}
