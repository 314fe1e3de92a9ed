cfg = { version = "15", disk = { kind = "hdd" } }
