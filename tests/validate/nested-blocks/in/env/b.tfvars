ports = { smtp = 25 }
region = "us"
