size = "small"
