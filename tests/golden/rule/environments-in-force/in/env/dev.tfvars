size   = "small"
zones  = ["a"]
engine = "16"
