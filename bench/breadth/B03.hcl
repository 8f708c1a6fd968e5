# Sets of permissions
# What a user may do by groups and grants, less what was revoked; and what a task needs beyond that.
[
  for granted in [setsubtract(setunion(user.grants, flatten([for group in user.groups : groups[group]])), user.revoked)] : {
    granted = sort(granted)
    missing = sort(setsubtract(task.needs, granted))
    usable  = sort(setintersection(task.needs, granted))
  }
][0]
