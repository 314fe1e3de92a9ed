specialize "aws_subnet" {
  fields = ["cidr_block", "availability_zone"]
}
