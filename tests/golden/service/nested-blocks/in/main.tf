# Blocks within blocks become objects and lists of objects, by the types of the template's variables; what those don't name goes.
resource "aws_security_group" "app" {
  name = "app"
}

resource "aws_msk_cluster" "app" {
  cluster_name = "app"

  nodes {
    type    = "kafka.m5.large"
    subnets = ["a", "b"] # of no use elsewhere
    groups  = [aws_security_group.app.id]

    storage {
      ebs {
        # in GiB
        size       = 100
        throughput = 250
        more       = "x"
      }
    }

    rule {
      id = "a"

      expiration {
        days = 1
      }
    }

    rule { id = "b" }

    public { access = "DISABLED" }
  }

  user {
    name   = "first"
    groups = ["a"]
  }
  user {
    name   = "second"
    groups = ["b"]
    age    = 2
  }

  # the third
  user {
    name = "third"
  }

  logs {
    s3 {
      bucket = "logs"
    }
  }
}
