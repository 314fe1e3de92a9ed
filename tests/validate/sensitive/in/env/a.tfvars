password = "hunter2"
