# Defaults deep in a document
# Any level of the document may be missing.
{
  format  = can(doc.logging.sinks[0].format) ? upper(doc.logging.sinks[0].format) : "JSON"
  level   = try(doc.logging.level, doc.level, "info")
  limit   = lookup(try(doc.limits, {}), plan, 100)
  region  = try(doc.sites[site].region.name, doc.region, "eu-west-1")
  sinks   = try([for sink in doc.logging.sinks : lower(sink.type)], ["stdout"])
  verbose = try(doc.logging.level, "info") == "debug" || try(doc.sites[site].debug, false)
}
