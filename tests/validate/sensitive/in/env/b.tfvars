password = "long enough"
