pg = "of one machine"
