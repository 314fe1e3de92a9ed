env  = "test"
size = "large"
