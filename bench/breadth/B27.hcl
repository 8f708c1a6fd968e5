# A large catalog
# The price of an order, and what is not to be had.
{
  total   = sum(concat([0], [for line in order : try(catalog[line.sku].price, 0) * line.quantity]))
  unknown = [for line in order : line.sku if !can(catalog[line.sku])]
  short   = [for line in order : line.sku if try(catalog[line.sku].stock, line.quantity) < line.quantity]
}
