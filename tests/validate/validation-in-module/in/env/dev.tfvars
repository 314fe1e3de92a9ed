names = ["a"]
