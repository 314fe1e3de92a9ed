size = 1
ids = ["1"]
