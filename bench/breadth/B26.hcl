# Sorted, without doubles
# All tags of some resources.
sort(distinct([for tag in flatten([for r in resources : r.tags]) : lower(tag) if tag != ""]))
