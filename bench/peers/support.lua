-- What the Lua peer does before the clock runs: reading scopes and answers, which are JSON lines, and comparing.
-- JSON of our own inputs only: a null is nil, so that a member with it is missing; none is in a list.

local escapes = { n = "\n", r = "\r", t = "\t" }

-- The text whose opening quote is at `at`, and where it ends.
local function read_text(text, at)
  local close = text:find('"', at + 1, true)
  local plain = text:sub(at + 1, close - 1)
  if not plain:find("\\", 1, true) then return plain, close + 1 end
  local parts, from = {}, at + 1
  while true do
    local stop = text:find('["\\]', from)
    parts[#parts + 1] = text:sub(from, stop - 1)
    if text:sub(stop, stop) == '"' then return table.concat(parts), stop + 1 end
    local escaped = text:sub(stop + 1, stop + 1)
    assert(escaped ~= "u", "no JSON of ours: \\u")
    parts[#parts + 1] = escapes[escaped] or escaped
    from = stop + 2
  end
end

local function read_value(text, at)
  at = text:find("%S", at)
  local first = text:sub(at, at)
  if first == '"' then
    return read_text(text, at)
  elseif first == "{" or first == "[" then
    local result, count = {}, 0
    at = text:find("%S", at + 1)
    while not text:find("^[%]}]", at) do
      local key = count + 1
      if first == "{" then
        key, at = read_value(text, at)
        at = text:find(":", at, true) + 1
      end
      result[key], at = read_value(text, at)
      count = count + 1
      at = text:find("[^%s,]", at)
    end
    return result, at + 1
  end
  local word, stop = text:match("^([%w.+-]+)()", at)
  if word == "true" or word == "false" then return word == "true", stop end
  if word == "null" then return nil, stop end
  return assert(tonumber(word), "no JSON value: " .. text:sub(at, at + 20)), stop
end

local function read_lines(path)
  local values = {}
  for line in io.lines(path) do values[#values + 1] = read_value(line, 1) end
  return values
end

local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in pairs(a) do
    if not same(value, b[key]) then return false end
  end
  for key in pairs(b) do
    if a[key] == nil then return false end
  end
  return true
end

local M = {}

-- The scopes of a workload, after each of its answers was compared with the wanted one; an error if one differs.
function M.load(folder, workload, evaluate)
  assert(evaluate, "no such workload: " .. workload)
  local scopes = read_lines(folder .. "/bench/inputs/" .. workload .. ".ndjson")
  local want = read_lines(folder .. "/bench/want/" .. workload .. ".ndjson")
  assert(#scopes == #want and #scopes > 0, workload .. ": scopes and answers differ in number")
  for i, scope in ipairs(scopes) do
    if not same(evaluate(scope), want[i].value) then error(workload .. ": wrong answer for scope " .. i - 1, 0) end
  end
  return scopes
end

return M
