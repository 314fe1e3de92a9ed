size = "large"
ids = ["x"]
