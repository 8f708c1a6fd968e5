a = [{n = "x"}, {n = 1, p = "81", q = {}}, {n = "y", p = null, q = {z = false}}]
