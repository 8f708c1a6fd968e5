a = "x-${region}"
b = [for s in sizes : s]
c {
  x = sizes[1]
}
