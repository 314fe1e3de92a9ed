number = 1
keys = null
