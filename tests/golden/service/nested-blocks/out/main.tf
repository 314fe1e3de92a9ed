# phi: aws_msk_cluster.app — service: kafka — form factor: on-prem
module "app" {
  source       = "./services/kafka"
  cluster_name = "app"

  nodes = {
    type = "kafka.m5.large"

    storage = {
      ebs = {
        # in GiB
        size = 100
      }
    }

    rule = [{
      id = "a"

      expiration = {
        days = 1
      }
    }, { id = "b" }]

    public = {}
  }

  user = [{
    name = "first"
    }, {
    name = "second"
    age  = 2
    }, {
    # the third
    name = "third"
  }]
}
