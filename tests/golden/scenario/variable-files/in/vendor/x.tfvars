pg = "of one machine, too"
