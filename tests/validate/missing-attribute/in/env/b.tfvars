app = { name = "b" }
