a = double()
