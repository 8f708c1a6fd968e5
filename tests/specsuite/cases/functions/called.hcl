a = double(4)
b = most(1, 5, 3)
