zones = ["a"]
number = 0
