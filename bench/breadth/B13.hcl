# Locals as in Terraform
# The buckets of a project, with names, tags and what was left out filled in.
{
  for name, bucket in buckets : lower("${project}-${environment}-${name}") => {
    class      = lookup({ standard = "STANDARD", rare = "NEARLINE", archive = "ARCHIVE" }, coalesce(bucket.class, "standard"), "STANDARD")
    days       = environment == "prod" ? coalesce(bucket.days, 365) : min(coalesce(bucket.days, 30), 30)
    tags       = merge(tags, bucket.tags, { Name = name })
    versioning = coalesce(bucket.versioning, environment == "prod")
  }
  if bucket.enabled
}
