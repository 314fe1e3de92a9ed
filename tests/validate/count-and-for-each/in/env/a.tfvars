number = 3
keys = ["x"]
