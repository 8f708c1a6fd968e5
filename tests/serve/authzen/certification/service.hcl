authzen {
  variables = { subject = subject, action = action, resource = resource }
  entry     = "fixture/allow"
}
