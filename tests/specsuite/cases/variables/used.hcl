a = "x-${region}"
b = sizes[1]
