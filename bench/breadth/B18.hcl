# Formatted numbers
# The lines of an invoice in columns.
concat(
  [for i, l in lines : format("%3d  %-16s %4d x %8.2f", i + 1, l.name, l.quantity, l.price)],
  [format("%s, %d lines, no. %06d", customer, length(lines), number)],
)
