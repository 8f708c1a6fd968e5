# Windows of timestamps
# The maintenance windows that are open, and until when.
[
  for w in windows : {
    name  = w.name
    until = formatdate("DD MMM YYYY hh:mm", timeadd(w.start, w.duration))
  }
  if timecmp(now, w.start) >= 0 && timecmp(now, timeadd(w.start, w.duration)) < 0
]
