-- The breadth workloads B16 to B30; see workloads.lua.

local floor = math.floor
local concat, sort = table.concat, table.sort
local find, format, gsub, lower, match, sub = string.find, string.format, string.gsub, string.lower, string.match, string.sub

local function contains(list, value)
  for i = 1, #list do
    if list[i] == value then return true end
  end
  return false
end

local function endswith(text, suffix) return suffix == "" or sub(text, -#suffix) == suffix end

local function trim(text) return match(text, "^%s*(.-)%s*$") end

local B = {}

-- Cents are whole numbers, which are exact.
local function cents(amount) return floor(amount * 100 + 0.5) end

function B.B16(scope)
  local lines, net, tax = scope.cart.lines, 0, 0
  for i = 1, #lines do
    local line = lines[i]
    local amount = line.quantity * cents(line.price) * (100 - cents(line.discount))
    net = net + amount
    tax = tax + amount * cents(scope.rates[line.class])
  end
  local postage = scope.cart.express and 1290 or 495
  return {
    net = floor((net + 50) / 100) / 100,
    tax = floor((tax + 5000) / 10000) / 100,
    total = (floor((net * 100 + tax + 5000) / 10000) + postage) / 100,
  }
end

function B.B17(scope)
  local customer, kwh, hour = scope.customer, scope.use.kwh, scope.use.hour
  local fee = customer.kind == "business" and 12000 or customer.kind == "home" and 9500 or 0
  local tiers
  if kwh <= 100 then
    tiers = kwh * 285
  elseif kwh <= 500 then
    tiers = 28500 + (kwh - 100) * 310
  elseif kwh <= 2000 then
    tiers = 152500 + (kwh - 500) * 335
  else
    tiers = 655000 + (kwh - 2000) * 298
  end
  local factor = (hour >= 22 or hour < 6) and 80 or (hour >= 17 and hour < 20) and 125 or 100
  -- One division, at the end: so the result is the number that is nearest.
  return (fee * 100 + tiers * factor - (customer.years > 5 and 250000 or 0)) / 100000
end

function B.B18(scope)
  local lines, invoice = scope.lines, {}
  for i = 1, #lines do
    local line = lines[i]
    invoice[i] = format("%3d  %-16s %4d x %8.2f", i, line.name, line.quantity, line.price)
  end
  invoice[#lines + 1] = format("%s, %d lines, no. %06d", scope.customer, #lines, scope.number)
  return invoice
end

function B.B19(scope)
  local orders, groups = scope.orders, {}
  for i = 1, #orders do
    local order = orders[i]
    local amount, group = order.amount, groups[order.region]
    if group then
      group.count = group.count + 1
      group.total = group.total + amount
      if amount > group.largest then group.largest = amount end
    else
      groups[order.region] = { count = 1, largest = amount, total = amount }
    end
  end
  return groups
end

function B.B20(scope)
  local customers, orders, by_id, rows, n = scope.customers, scope.orders, {}, {}, 0
  for i = 1, #customers do by_id[customers[i].id] = customers[i] end
  for i = 1, #orders do
    local order = orders[i]
    local customer = by_id[order.customer]
    if customer and customer.active then
      n = n + 1
      rows[n] = { id = order.id, name = customer.name, total = order.quantity * order.price }
    end
  end
  return rows
end

function B.B21(scope)
  local parts = { "upstream " .. scope.name .. " {\n" }
  for i = 1, #scope.servers do
    local s = scope.servers[i]
    parts[i + 1] = "  server " .. s.host .. ":" .. s.port .. (s.weight ~= 1 and " weight=" .. s.weight or "")
      .. (s.backup and " backup;\n" or ";\n")
  end
  parts[#parts + 1] = scope.sticky and "  ip_hash;\n}\n" or "}\n"
  return concat(parts)
end

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function escape(character) return escapes[character] or format("\\u%04x", character:byte()) end

local function quote(text)
  if find(text, '[%c"\\<>&]') then text = gsub(text, '[%c"\\<>&]', escape) end
  return '"' .. text .. '"'
end

-- Properties stand in the order of their names.
function B.B22(scope)
  local event, user, items = scope.event, scope.user, {}
  for i = 1, #event.items do
    local item = event.items[i]
    items[i] = '{"quantity":' .. item.quantity .. ',"sku":' .. quote(item.sku) .. "}"
  end
  return '{"actor":{"id":' .. user.id .. ',"name":' .. quote(user.name) .. '},"comment":'
    .. (event.comment and quote(event.comment) or "null") .. ',"id":' .. quote(event.id) .. ',"items":['
    .. concat(items, ",") .. '],"kind":' .. quote(event.kind:upper()) .. ',"urgent":'
    .. (event.priority > 7 and "true}" or "false}")
end

function B.B23(scope)
  local query, parameters, kept = scope.request.query, {}, {}
  if sub(query, 1, 1) == "?" then query = sub(query, 2) end
  for parameter in query:gmatch("[^&]+") do parameters[#parameters + 1] = parameter end
  sort(parameters)
  for i = 1, #parameters do
    local name, value = match(parameters[i], "^([^=]*)=?([^=]*)")
    name = lower(name)
    if contains(scope.known, name) then kept[#kept + 1] = name .. "=" .. value end
  end
  return concat(kept, "&")
end

local function parse_version(text)
  local major, minor, patch = match(text, "^(%d+)%.(%d+)%.(%d+)$")
  return major * 1000000 + minor * 1000 + patch
end

function B.B24(scope)
  local names, n = {}, 0
  for i = 1, #scope.clients do
    local client = scope.clients[i]
    if parse_version(client.version) < parse_version(scope.minimum[client.platform]) then
      n = n + 1
      names[n] = client.name
    end
  end
  return names
end

function B.B25(scope)
  local rows = {}
  for i = 1, #scope.users do
    local user = scope.users[i]
    local email, host = lower(trim(user.email)), lower(trim(user.host))
    local name, domain = match(email, "^([^@]*)@([^@]*)")
    rows[i] = {
      domain = domain,
      email = match(name, "^[^+]*") .. "@" .. domain,
      host = sub(host, -1) == "." and sub(host, 1, -2) or host,
      internal = endswith(email, "@example.com"),
    }
  end
  return rows
end

function B.B26(scope)
  local seen, all, n = {}, {}, 0
  for i = 1, #scope.resources do
    local tags = scope.resources[i].tags
    for t = 1, #tags do
      local tag = lower(tags[t])
      if tag ~= "" and not seen[tag] then
        seen[tag] = true
        n = n + 1
        all[n] = tag
      end
    end
  end
  sort(all)
  return all
end

function B.B27(scope)
  local catalog, order, total, short, unknown = scope.catalog, scope.order, 0, {}, {}
  for i = 1, #order do
    local line = order[i]
    local item = catalog[line.sku]
    if not item then
      unknown[#unknown + 1] = line.sku
    else
      total = total + item.price * line.quantity
      if item.stock < line.quantity then short[#short + 1] = line.sku end
    end
  end
  return { short = short, total = total, unknown = unknown }
end

function B.B28(scope)
  local checks, reviews, approvers, count, by_owner = scope.checks, scope.reviews, {}, 0, false
  for i = 1, #checks do
    local check = checks[i]
    if not check.optional and check.status ~= "success" then return false end
  end
  for i = 1, #reviews do
    local review = reviews[i]
    if review.state == "changes" then return false end
    if review.state == "approved" then
      local user = review.user
      by_owner = by_owner or contains(scope.owners, user)
      if not approvers[user] then
        approvers[user] = true
        count = count + 1
      end
    end
  end
  return by_owner and count >= (sub(scope.branch, 1, 8) == "release/" and 2 or 1)
end

function B.B29(scope)
  local rows, n = {}, 0
  for i = 1, #scope.users do
    local user = scope.users[i]
    if user.active then
      n = n + 1
      rows[n] = {
        id = user.id,
        name = user.first .. " " .. user.last,
        contact = user.phone or user.email,
        roles = #user.roles,
        admin = contains(user.roles, "admin"),
      }
    end
  end
  return rows
end

function B.B30(scope)
  local now, team, people = scope.now, scope.team, {}
  local day = floor(now / 1440)
  for i = 1, #scope.shifts do
    local shift = scope.shifts[i]
    local after, before, open = now >= shift.from, now < shift.to, false
    if shift.from <= shift.to then open = after and before else open = after or before end
    if open and contains(shift.teams, team) and not contains(shift.absent, day) then people[#people + 1] = shift.who end
  end
  return people
end

return B
