engine_version = "15.4"
