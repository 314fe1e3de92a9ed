app = { name = "a", port = 80 }
