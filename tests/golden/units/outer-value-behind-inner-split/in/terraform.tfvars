protect = false
