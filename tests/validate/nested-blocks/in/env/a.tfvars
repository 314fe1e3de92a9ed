ports = { http = 80 }
region = "eu"
