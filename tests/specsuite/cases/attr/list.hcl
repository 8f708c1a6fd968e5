a = [1, true, "x"]
