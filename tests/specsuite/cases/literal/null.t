# A null of no type.

result = null
