# Optional settings
# What a service sets wins over its profile, and that over the default; some settings are whole objects or absent.
{
  backoff = settings.retry == null ? null : settings.retry.attempts * settings.retry.pause_ms
  limit   = settings.limit != null ? settings.limit : profile.limit != null ? profile.limit : 100
  owner   = settings.owner != null && settings.owner != "" ? settings.owner : "nobody"
  proxy   = settings.proxy == null ? null : "http://${settings.proxy.host}:${coalesce(settings.proxy.port, 3128)}"
  retries = settings.retry == null ? coalesce(profile.retries, 0) : settings.retry.attempts
  timeout = coalesce(settings.timeout, profile.timeout, 30)
  tls     = settings.tls == null ? profile.tls == true : settings.tls.enabled && settings.tls.cert != null
}
