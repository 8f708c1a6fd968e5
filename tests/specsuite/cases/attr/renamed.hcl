input = "x"
