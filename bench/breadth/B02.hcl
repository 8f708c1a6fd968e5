# Admission of pods
# What is wrong with the containers of a pod, as messages; none if it may run.
flatten([
  for c in pod.containers : concat(
    anytrue([for registry in settings.registries : startswith(c.image, registry)]) ? [] : ["${c.name}: ${c.image} is from an unknown registry"],
    endswith(c.image, ":latest") || !strcontains(c.image, ":") ? ["${c.name}: ${c.image} has no fixed tag"] : [],
    try(c.limits.memory_mb, null) == null ? ["${c.name}: no memory limit"] : [],
    coalesce(try(c.limits.memory_mb, null), 0) > settings.max_memory_mb ? ["${c.name}: ${c.limits.memory_mb} MB are over ${settings.max_memory_mb} MB"] : [],
    try(c.security.privileged, false) && pod.namespace != "kube-system" ? ["${c.name}: privileged in ${pod.namespace}"] : [],
  )
])
