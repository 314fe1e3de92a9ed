size = "large"
replicas = 3
