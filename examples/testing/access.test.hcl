# The usual request of this file.
variables {
  user = { name = "ann", groups = ["sales"] }
  file = { group = "sales" }
}

# Stands in for a function of the host.
function "country" {
  params = [ip]
  result = startswith(ip, "10.") ? "de" : "fr"
}

test "a member may read" {
  expect = { allow = true, because = [] }
}

test "a locked file is read only" {
  with   = { file = { locked = true }, action = "write" }
  expect = { allow = false, because = ["locked"] }
}

test "groups" {
  cases = {
    member   = { with = { user = { groups = ["it", "sales"] } }, expect = { allow = true } }
    stranger = { with = { user = { groups = ["it"] } }, expect = { allow = false, because = ["group"] } }
    nobody   = { with = { user = { groups = [] } }, expect = { allow = false } }
  }
}

test "at night, with a second factor" {
  with  = { user = { mfa = true } }
  cases = { for hour in range(6) : "at ${hour}" => { with = { hour = hour }, expect = { allow = true } } }
}

test "what is recorded" {
  with        = { ip = "192.0.2.1" }
  expect      = { allow = false }
  expect_part = { "policy.audit.record" = { who = "ann", reason = ["abroad"] } }
}

test "a bad hour is refused" {
  with  = { hour = 25 }
  fails = { allow = "HCL3123", message = "hour is 25" }
}

test "a group is needed" {
  without = ["file.group"]
  fails   = { allow = { code = "HCL3122", message = "file.group is missing" } }
}

test "a denial has a reason" {
  cases = {
    denied  = { with = { action = "write", file = { locked = true } } }
    allowed = {}
  }
  assert {
    condition     = allow || length(because) > 0
    error_message = "No reason for ${user.name}, who is a member: ${local.is_member}"
  }
  assert {
    condition = policy.audit.record.reason == because
  }
}
