a = regoin
