replicas = 12
