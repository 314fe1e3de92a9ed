size   = "large"
zones  = ["a", "b"]
tier   = null
engine = "15.4"
