mb = "x"
