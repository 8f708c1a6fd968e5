a = double(null)
