function "within" {
  params = [time, from, hours]
  result = timecmp(from, time) <= 0 && timecmp(time, timeadd(from, "${hours}h")) < 0
}

locals {
  hour    = tonumber(formatdate("h", now))
  weekend = contains(["Sat", "Sun"], formatdate("EEE", now))
  at_work = !local.weekend && local.hour >= 8 && local.hour < 18
}

allow = local.at_work || anytrue([for g in grants : g.user == user && within(now, g.from, g.hours)])
