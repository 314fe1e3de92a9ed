size = "large"
