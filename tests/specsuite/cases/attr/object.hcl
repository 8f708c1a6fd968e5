a = {x = 1, y = ["true"]}
