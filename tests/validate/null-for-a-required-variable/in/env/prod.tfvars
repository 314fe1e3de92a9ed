env  = null
size = 2
zone = "a"
