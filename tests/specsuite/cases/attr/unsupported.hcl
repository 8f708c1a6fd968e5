name = 1
nmae = 2
