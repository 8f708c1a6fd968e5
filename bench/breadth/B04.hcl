# Label selectors
# The pods that a selector chooses, as Kubernetes does it: all labels equal, and all expressions true.
[
  for pod in pods : pod.name
  if alltrue([for key, value in selector.labels : lookup(pod.labels, key, "") == value]) && alltrue([
    for e in selector.expressions : (
      e.operator == "In" ? contains(e.values, lookup(pod.labels, e.key, "")) :
      e.operator == "NotIn" ? !contains(e.values, lookup(pod.labels, e.key, "")) :
      e.operator == "Exists" ? can(pod.labels[e.key]) :
      !can(pod.labels[e.key])
    )
  ])
]
