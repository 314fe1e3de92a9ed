cfg = { version = "14" }
