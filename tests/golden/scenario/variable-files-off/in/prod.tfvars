pg       = "16"
versions = { redis = "6", pg = "x" }
