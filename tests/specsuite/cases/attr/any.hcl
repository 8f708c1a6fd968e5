a = 1
b = "x"
c = [true, "y"]
