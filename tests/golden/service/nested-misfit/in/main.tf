# Blocks that make no value of the template's type, and an argument within blocks that the service refuses.
resource "aws_msk_cluster" "twice" {
  cluster_name = "twice"

  nodes {
    type = "kafka.m5.large"

    storage {
      ebs { size = 1 }
    }
    storage {
      ebs { size = 2 }
    }
  }
}

resource "aws_msk_cluster" "dynamic" {
  cluster_name = "dynamic"

  nodes {
    type = "kafka.m5.large"
  }
  dynamic "user" {
    for_each = ["a"]
    content {
      name = user.value
    }
  }
}

resource "aws_msk_cluster" "apart" {
  cluster_name = "apart"

  user {
    name = "a"
  }
  nodes {
    type = "kafka.m5.large"
  }
  user {
    name = "b"
  }
}

resource "aws_msk_cluster" "refused" {
  cluster_name = "refused"

  nodes {
    type = "kafka.m5.large"
  }
  login {
    sasl { iam = true }
    tls { iam = false }
  }
}
