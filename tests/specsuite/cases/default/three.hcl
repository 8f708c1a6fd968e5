b = "y"
