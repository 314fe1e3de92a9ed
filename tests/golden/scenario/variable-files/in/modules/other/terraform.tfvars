pg = "of another root"
