# Groups and sums
# Orders by region: how many, their sum, the largest.
{
  for region, amounts in { for order in orders : order.region => order.amount... } : region => {
    count   = length(amounts)
    largest = max(amounts...)
    total   = sum(amounts)
  }
}
