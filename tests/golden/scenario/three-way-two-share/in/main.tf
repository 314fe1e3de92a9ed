variable "env" {
  type = string
}

variable "region" {
  type = string
}

module "node" {
  source = "./node"
  size = var.env == "prod" ? "m5.xlarge" : (
    var.region == "us-east-1" ? "m5.xlarge" : "t3.small"
  )
  # kept as it is
  tags = { env = var.env }
}

output "size" {
  value = "is ${module.node.size}"
}
