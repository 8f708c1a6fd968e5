# One service for all events: what a question is about says which policy decides.

locals {
  policies = { user = "todo/allow", todo = "todo/allow", route = "gateway/allow", record = "records/allow" }
}

authzen {
  variables {
    caller = subject.id
    verb   = action.name
    target = merge(resource.properties, { id = resource.id })
  }
  entry = local.policies[resource.type]
}
