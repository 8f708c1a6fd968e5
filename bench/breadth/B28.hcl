# Gates of all and any
# May a change be merged?
alltrue([for c in checks : c.optional || c.status == "success"]) &&
anytrue([for r in reviews : r.state == "approved" && contains(owners, r.user)]) &&
!anytrue([for r in reviews : r.state == "changes"]) &&
length(distinct([for r in reviews : r.user if r.state == "approved"])) >= (startswith(branch, "release/") ? 2 : 1)
