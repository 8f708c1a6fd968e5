b = 2
a = "x"
