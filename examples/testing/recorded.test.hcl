variables = file("requests/ann.json")

function "country" {
  params = [ip]
  result = "de"
}

test "ann" {
  expect = { allow = true }
}

test "recorded requests" {
  requests = "requests/day.ndjson"
  answers  = "requests/day.answers.ndjson"
  entries  = ["allow", "because"]
}
