locals {
  reasons = concat(
    service.owner == "" ? ["${service.name} has no owner"] : [],
    service.replicas < 2 ? ["${service.name} has ${service.replicas} replicas, at least 2 are needed"] : [],
    [for port in service.ports : "port ${port} is reserved" if port < 1024],
  )
}

accepted = length(local.reasons) == 0
reasons  = local.reasons
