a = {for i, s in ["x", "y"] : s => i if s != "z"}
