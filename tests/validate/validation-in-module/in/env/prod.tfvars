names = []
