# How a question of AuthZEN becomes variables of the policy, and what the policy says an answer.

authzen {
  variables {
    member = merge(subject.properties, { id = subject.id })
    action = action.name
    book   = merge(resource.properties, { id = resource.id })
  }
  entry    = "library/decision"
  decision = result.allow
  context = result.allow ? null : {
    reason_admin = { en = "rule ${result.rule}" }
    reason_user  = { en = result.reason }
  }
}
