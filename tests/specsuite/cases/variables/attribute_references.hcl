a = v.a.b[0] + v["a"].b[0]
