zones = ["a", "b"]
number = 1
