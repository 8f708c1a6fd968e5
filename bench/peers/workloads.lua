-- The workloads W0 to W9 as a Lua programmer would write them: each a function of a scope. The answers are those of
-- bench/want. What does not depend on the scope is made once, outside.

local function set(list)
  local result = {}
  for _, value in ipairs(list) do result[value] = true end
  return result
end

local function startswith(text, prefix) return text:sub(1, #prefix) == prefix end

local blocked = set { "10.0.1.4", "10.0.1.5", "10.0.1.6" }
local admin_hosts = set { "10.0.1.1", "10.0.1.2", "10.0.1.3" }
local first_tokens = set { "v1", "v2", "admin" }
local second_tokens = set { "v2", "admin" }

local function policy(scope)
  local request = scope.request
  local path, token = request.path, request.token
  return not blocked[request.ip] and (
    (startswith(path, "v1") and first_tokens[token]) or
    (startswith(path, "v2") and second_tokens[token]) or
    (startswith(path, "/admin") and token == "admin" and admin_hosts[request.ip])
  ) or false
end

local W = {}

function W.W0(scope) return scope.flag end

W.W1 = policy

function W.W2(scope)
  local a, b = scope.a, scope.b
  return (a + b * 2 - scope.c) / 4 > scope.d % 7 and a * a + b * b < 1000000
end

function W.W3(scope) return "arn:aws:iam::" .. scope.account .. ":role/" .. scope.env .. "-" .. scope.name end

function W.W4(scope)
  local names = {}
  for _, user in ipairs(scope.users) do
    if user.age >= 18 then names[#names + 1] = user.name end
  end
  return names
end

function W.W5(scope)
  if scope.env == "prod" then return scope.replicas * 2 end
  return scope.env == "stage" and scope.replicas or 1
end

function W.W6(scope)
  -- Lists start at 1 here: this is listener 2.
  return scope.config.service.http.listeners[3].tls.min_version == "1.3"
end

function W.W7(scope)
  local prefix, result = scope.prefix, {}
  for key, value in pairs(scope.tags) do result[key:upper()] = prefix .. "-" .. value end
  return result
end

function W.W8(scope)
  local user = scope.user
  return scope.limits[user.tier].rps * 60 >= scope.quota[user.id]
end

W.W9 = policy

return W
