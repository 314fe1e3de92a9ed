engine_version = "13.0"
