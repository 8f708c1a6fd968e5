# A join of two lists
# Orders with the names of their customers, where those are active.
flatten([
  for order in orders : [
    for customer in customers : { id = order.id, name = customer.name, total = order.quantity * order.price }
    if customer.id == order.customer && customer.active
  ]
])
