# Who may do what with the books of a library. The first rule whose `when` is true decides.

decision = [
  for rule in [
    { id = "librarian", allow = true,
      when   = member.role == "librarian",
      reason = "" },
    { id = "withdrawn", allow = false,
      when   = book.withdrawn,
      reason = "This book is no longer lent." },
    { id = "anybody-reads", allow = true,
      when   = action == "read",
      reason = "" },
    { id = "lent", allow = false,
      when   = action == "borrow" && book.lent_to != null && book.lent_to != member.id,
      reason = "Somebody else has this book." },
    { id = "borrow", allow = true,
      when   = contains(["borrow", "return"], action),
      reason = "" },
    { id = "default", allow = false,
      when   = true,
      reason = "Only librarians may ${action} a book." },
  ] : { allow = rule.allow, rule = rule.id, reason = rule.reason } if rule.when
][0]
