env = "qa"
