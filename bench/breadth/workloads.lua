-- The breadth workloads B01 to B11 and B13 to B15 as a Lua programmer would write them who wants speed: each a function
-- of a scope, for Lua 5.4 and LuaJIT. Lists are gone through by index and loops end when the answer is known; what does not depend on
-- the scope is made once, outside. A null of JSON is a field that is not there.

local floor, max, min = math.floor, math.max, math.min
local sort = table.sort
local byte, find, format, match, sub = string.byte, string.find, string.format, string.match, string.sub

local function contains(list, value)
  for i = 1, #list do
    if list[i] == value then return true end
  end
  return false
end

local function startswith(text, prefix) return sub(text, 1, #prefix) == prefix end

local function endswith(text, suffix) return suffix == "" or sub(text, -#suffix) == suffix end

-- `value` or, if that is nil, `default`; false is a value.
local function default_to(value, default)
  if value == nil then return default end
  return value
end

local B = {}

local function grants(roles, name, permission, levels)
  local role = roles[name]
  if contains(role.permissions, permission) then return true end
  if levels == 0 then return false end
  local inherits = role.inherits
  for i = 1, #inherits do
    if grants(roles, inherits[i], permission, levels - 1) then return true end
  end
  return false
end

function B.B01(scope)
  local user = scope.user
  if not user.active then return false end
  for i = 1, #user.roles do
    if grants(scope.roles, user.roles[i], scope.request.permission, 2) then return true end
  end
  return false
end

local function is_known(image, registries)
  for i = 1, #registries do
    if startswith(image, registries[i]) then return true end
  end
  return false
end

function B.B02(scope)
  local pod, settings, messages, n = scope.pod, scope.settings, {}, 0
  for i = 1, #pod.containers do
    local c = pod.containers[i]
    local name, image = c.name, c.image
    if not is_known(image, settings.registries) then
      n = n + 1
      messages[n] = name .. ": " .. image .. " is from an unknown registry"
    end
    if endswith(image, ":latest") or not find(image, ":", 1, true) then
      n = n + 1
      messages[n] = name .. ": " .. image .. " has no fixed tag"
    end
    local memory = c.limits and c.limits.memory_mb
    if not memory then
      n = n + 1
      messages[n] = name .. ": no memory limit"
    elseif memory > settings.max_memory_mb then
      n = n + 1
      messages[n] = name .. ": " .. memory .. " MB are over " .. settings.max_memory_mb .. " MB"
    end
    if c.security and c.security.privileged and pod.namespace ~= "kube-system" then
      n = n + 1
      messages[n] = name .. ": privileged in " .. pod.namespace
    end
  end
  return messages
end

local function add(list, set)
  for i = 1, #list do set[list[i]] = true end
end

function B.B03(scope)
  local user, has = scope.user, {}
  add(user.grants, has)
  for i = 1, #user.groups do add(scope.groups[user.groups[i]], has) end
  for i = 1, #user.revoked do has[user.revoked[i]] = nil end
  local granted, missing, usable, seen = {}, {}, {}, {}
  for permission in pairs(has) do granted[#granted + 1] = permission end
  for i = 1, #scope.task.needs do
    local need = scope.task.needs[i]
    if not seen[need] then
      seen[need] = true
      local list = has[need] and usable or missing
      list[#list + 1] = need
    end
  end
  sort(granted)
  sort(missing)
  sort(usable)
  return { granted = granted, missing = missing, usable = usable }
end

local function chooses(selector, labels)
  for key, value in pairs(selector.labels) do
    if (labels[key] or "") ~= value then return false end
  end
  for i = 1, #selector.expressions do
    local e = selector.expressions[i]
    local label, operator = labels[e.key], e.operator
    local holds
    if operator == "In" then
      holds = contains(e.values, label or "")
    elseif operator == "NotIn" then
      holds = not contains(e.values, label or "")
    elseif operator == "Exists" then
      holds = label ~= nil
    else
      holds = label == nil
    end
    if not holds then return false end
  end
  return true
end

function B.B04(scope)
  local names = {}
  for i = 1, #scope.pods do
    local pod = scope.pods[i]
    if chooses(scope.selector, pod.labels) then names[#names + 1] = pod.name end
  end
  return names
end

-- The operators of Lua 5.4 are errors of syntax in LuaJIT, which has a library instead. So each has a text of its own.
local crc32_of_lua = [[
  local byte, entries = string.byte, {}
  for i = 0, 255 do
    local crc = i
    for _ = 1, 8 do crc = (crc >> 1) ~ ((crc & 1 ~= 0) and 0xedb88320 or 0) end
    entries[i] = crc
  end
  return function(text)
    local crc = 0xffffffff
    for i = 1, #text do crc = entries[(crc ~ byte(text, i)) & 255] ~ (crc >> 8) end
    return crc ~ 0xffffffff
  end
]]
local crc32_of_luajit = [[
  local bit = require("bit")
  local band, bnot, bxor, rshift = bit.band, bit.bnot, bit.bxor, bit.rshift
  local byte, entries = string.byte, {}
  for i = 0, 255 do
    local crc = i
    for _ = 1, 8 do crc = bxor(rshift(crc, 1), band(crc, 1) ~= 0 and 0xedb88320 or 0) end
    entries[i] = crc
  end
  return function(text)
    local crc = -1
    for i = 1, #text do crc = bxor(entries[band(bxor(crc, byte(text, i)), 255)], rshift(crc, 8)) end
    return bnot(crc) % 4294967296
  end
]]
local crc32 = assert((loadstring or load)(rawget(_G, "jit") and crc32_of_luajit or crc32_of_lua))()

local function is_on(flag, user)
  if not flag.enabled or contains(flag.blocked, user.id) then return false end
  return contains(flag.users, user.id) or contains(flag.plans, user.plan)
    or crc32(flag.name .. "/" .. user.id) % 100 < flag.percent
end

function B.B05(scope)
  local names = {}
  for i = 1, #scope.flags do
    local flag = scope.flags[i]
    if is_on(flag, scope.user) then names[#names + 1] = flag.name end
  end
  return names
end

local function fits(rule, request)
  if not contains(rule.actions, request.action) or not startswith(request.resource, rule.prefix) then return false end
  local roles = rule.roles
  if not roles then return true end
  for i = 1, #request.roles do
    if contains(roles, request.roles[i]) then return true end
  end
  return false
end

function B.B06(scope)
  for i = 1, #scope.rules do
    local rule = scope.rules[i]
    if fits(rule, scope.request) then return { effect = rule.effect, rule = rule.id } end
  end
  return { effect = "deny", rule = "default" }
end

function B.B07(scope)
  local request = scope.request
  for i = 1, #scope.routes do
    local route = scope.routes[i]
    if (route.host == "*" or route.host == request.host) and startswith(request.path, route.prefix)
      and contains(route.methods, request.method) then
      local path = route.rewrite .. sub(request.path, #route.prefix + 1)
      return { backend = route.backend, path = path, timeout = route.timeout or 30 }
    end
  end
  return { backend = "not-found", path = request.path, timeout = 5 }
end

local months = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" }
local units = { h = 3600, m = 60, s = 1, ms = 1e-3, us = 1e-6, ns = 1e-9 }

local function number_at(text, from, to) return tonumber(sub(text, from, to)) end

-- Seconds since 1970 of the clock that "2024-02-29T10:30:00Z" shows, and how many of them that is ahead of UTC. The
-- count of days is the usual one over years that begin in March.
local function parse_time(text)
  local year, month, day = number_at(text, 1, 4), number_at(text, 6, 7), number_at(text, 9, 10)
  if month <= 2 then year, month = year - 1, month + 12 end
  local days = 365 * year + floor(year / 4) - floor(year / 100) + floor(year / 400)
    + floor((153 * (month - 3) + 2) / 5) + day - 719469
  local seconds = days * 86400 + number_at(text, 12, 13) * 3600 + number_at(text, 15, 16) * 60 + number_at(text, 18, 19)
  if #text < 25 then return seconds, 0 end
  local offset = number_at(text, 21, 22) * 3600 + number_at(text, 24, 25) * 60
  return seconds, sub(text, 20, 20) == "-" and -offset or offset
end

local function parse_duration(text)
  local seconds = 0
  for number, unit in text:gmatch("(%d+%.?%d*)(%a+)") do seconds = seconds + tonumber(number) * units[unit] end
  return seconds
end

local function format_time(seconds)
  local days = floor(seconds / 86400)
  local minutes = floor((seconds - days * 86400) / 60)
  local from_march = days + 719468
  local era = floor(from_march / 146097)
  local of_era = from_march - era * 146097
  local year = floor((of_era - floor(of_era / 1460) + floor(of_era / 36524) - floor(of_era / 146096)) / 365)
  local of_year = of_era - (365 * year + floor(year / 4) - floor(year / 100))
  local month = floor((5 * of_year + 2) / 153)
  local day = of_year - floor((153 * month + 2) / 5) + 1
  month = month < 10 and month + 3 or month - 9
  year = year + era * 400 + (month <= 2 and 1 or 0)
  return format("%02d %s %04d %02d:%02d", day, months[month], year, floor(minutes / 60), minutes % 60)
end

function B.B08(scope)
  local now, ahead = parse_time(scope.now)
  now = now - ahead
  local open = {}
  for i = 1, #scope.windows do
    local window = scope.windows[i]
    local start, offset = parse_time(window.start)
    if now >= start - offset then
      local stop = start + parse_duration(window.duration)
      if now < stop - offset then open[#open + 1] = { name = window.name, ["until"] = format_time(stop) } end
    end
  end
  return open
end

function B.B09(scope)
  local used, request, over = scope.used[scope.team], scope.request, {}
  for resource, limit in pairs(scope.quotas[scope.team]) do
    local wanted = request[resource] or 0
    if wanted > 0 then
      local after = (used[resource] or 0) + wanted
      if after > limit then over[resource] = after - limit end
    end
  end
  return { allowed = next(over) == nil, over = over }
end

local function is_address(email)
  local host = match(email, "^[^@ ]+@([a-z0-9.-]+)$")
  return host and find(host, ".", 1, true) and not find(host, "..", 1, true) and byte(host) ~= 46 and byte(host, -1) ~= 46
end

function B.B10(scope)
  local form, messages, n = scope.form, {}, 0
  local user, phone, password = form.user, form.phone, form.password
  if #user < 3 or #user > 16 or not find(user, "^[a-z][a-z0-9_]*$") then
    n = n + 1
    messages[n] = "user: 3 to 16 small letters, digits or _"
  end
  if not is_address(form.email) then
    n = n + 1
    messages[n] = "email: " .. form.email .. " is no address"
  end
  if phone and (#phone < 7 or #phone > 15 or not find(phone, "^%+[0-9]+$")) then
    n = n + 1
    messages[n] = "phone: a + and 6 to 14 digits"
  end
  if not find(form.country, "^[A-Z][A-Z]$") then
    n = n + 1
    messages[n] = "country: two capital letters"
  end
  if not find(password, "[0-9]") or not find(password, "[A-Z]") then
    n = n + 1
    messages[n] = "password: needs a digit and a capital letter"
  end
  return messages
end

local log_levels = { prod = "warn", stage = "info", dev = "debug" }

function B.B11(scope)
  local app, env = scope.app, scope.env
  local name, prod = app.name, env == "prod"
  return {
    name = name .. "-" .. env,
    replicas = prod and max(3, app.replicas) or 1,
    image = scope.registry .. "/" .. name .. ":" .. app.version,
    port = app.port or 8080,
    host = prod and name .. ".example.com" or name .. "." .. env .. ".example.com",
    memory_mb = app.size == "large" and 4096 or app.size == "medium" and 1024 or 256,
    public = env ~= "dev" and contains(app.labels, "public"),
    health = app.health and app.health.path or "/healthz",
    labels = { app = name, env = env, team = scope.teams[name] or "platform" },
    log_level = log_levels[env],
  }
end

local storage = { standard = "STANDARD", rare = "NEARLINE", archive = "ARCHIVE" }

function B.B13(scope)
  local environment, locals = scope.environment, {}
  local prod, prefix = environment == "prod", scope.project .. "-" .. environment .. "-"
  for name, bucket in pairs(scope.buckets) do
    if bucket.enabled then
      local tags = {}
      for key, value in pairs(scope.tags) do tags[key] = value end
      if bucket.tags then
        for key, value in pairs(bucket.tags) do tags[key] = value end
      end
      tags.Name = name
      locals[(prefix .. name):lower()] = {
        class = storage[bucket.class or "standard"] or "STANDARD",
        days = prod and (bucket.days or 365) or min(bucket.days or 30, 30),
        tags = tags,
        versioning = default_to(bucket.versioning, prod),
      }
    end
  end
  return locals
end

function B.B14(scope)
  local settings, profile = scope.settings, scope.profile
  local retry, proxy, tls, owner = settings.retry, settings.proxy, settings.tls, settings.owner
  return {
    backoff = retry and retry.attempts * retry.pause_ms,
    limit = settings.limit or profile.limit or 100,
    owner = owner and owner ~= "" and owner or "nobody",
    proxy = proxy and "http://" .. proxy.host .. ":" .. (proxy.port or 3128),
    retries = retry and retry.attempts or profile.retries or 0,
    timeout = settings.timeout or profile.timeout or 30,
    tls = tls and (tls.enabled and tls.cert ~= nil) or not tls and profile.tls == true,
  }
end

local no_fields = {}

function B.B15(scope)
  local doc = scope.doc
  local logging = doc.logging or no_fields
  local site = doc.sites and doc.sites[scope.site] or no_fields
  local sinks, first, names = logging.sinks, no_fields, {}
  if sinks then
    first = sinks[1] or no_fields
    for i = 1, #sinks do names[i] = sinks[i].type:lower() end
  else
    names[1] = "stdout"
  end
  return {
    format = first.format and first.format:upper() or "JSON",
    level = logging.level or doc.level or "info",
    limit = doc.limits and doc.limits[scope.plan] or 100,
    region = site.region and site.region.name or doc.region or "eu-west-1",
    sinks = names,
    verbose = logging.level == "debug" or site.debug or false,
  }
end

return B
