# Prices in decimals
# What a cart costs, in exact decimals, rounded to cents at the end.
{
  net   = floor(sum([for l in cart.lines : l.quantity * l.price * (1 - l.discount)]) * 100 + 0.5) / 100
  tax   = floor(sum([for l in cart.lines : l.quantity * l.price * (1 - l.discount) * rates[l.class]]) * 100 + 0.5) / 100
  total = floor((sum([for l in cart.lines : l.quantity * l.price * (1 - l.discount) * (1 + rates[l.class])]) + (cart.express ? 12.90 : 4.95)) * 100 + 0.5) / 100
}
