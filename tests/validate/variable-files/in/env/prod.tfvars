size = upper("large")
