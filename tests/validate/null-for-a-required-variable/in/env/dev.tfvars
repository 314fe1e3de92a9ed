env  = "dev"
size = null
zone = null
