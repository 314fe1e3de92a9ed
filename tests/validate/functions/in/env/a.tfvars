port = "80"
ranges = ["10.0.0.0/16"]
