env = "live"
