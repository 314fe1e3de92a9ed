port = "http"
ranges = ["10.0.0.0/30"]
