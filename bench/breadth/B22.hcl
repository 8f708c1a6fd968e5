# JSON made
# An event for a queue.
jsonencode({
  id      = event.id
  kind    = upper(event.kind)
  actor   = { id = user.id, name = user.name }
  items   = [for i in event.items : { sku = i.sku, quantity = i.quantity }]
  comment = event.comment
  urgent  = event.priority > 7
})
