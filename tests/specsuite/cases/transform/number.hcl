mb = 2
