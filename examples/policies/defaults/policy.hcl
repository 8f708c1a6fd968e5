requests = account.limit != null ? account.limit : lookup(limits, account.plan, 10)
burst    = account.plan == "free" ? 5 : 50
