-- What neovim_test.sh has Neovim do: neovim_test.lua, with HCLVM and FOLDER in the environment. Ends with `cquit` where
-- something is not as it should be.
local failures = {}

local function expect(what, got, wanted)
  if not vim.deep_equal(got, wanted) then
    table.insert(failures, what .. ': got ' .. vim.inspect(got) .. ', want ' .. vim.inspect(wanted))
  end
end

local function wait_for(what, condition)
  if not vim.wait(20000, condition, 20) then table.insert(failures, 'timed out: ' .. what) end
end

local function codes(buffer)
  local all = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do table.insert(all, one.code) end
  table.sort(all)
  return all
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  for _, answer in pairs(answers or {}) do return answer.result end
end

-- Parameters at the first place of `text` in the buffer.
local function at(text, offset)
  vim.fn.cursor(1, 1)
  local line, column = unpack(vim.fn.searchpos(text, 'cW'))
  vim.api.nvim_win_set_cursor(0, { line, column - 1 + (offset or 0) })
  return vim.lsp.util.make_position_params(0, 'utf-16')
end

local function test()
  require('hclvm').setup({ cmd = { vim.env.HCLVM, 'lsp' } })
  vim.cmd('edit ' .. vim.env.FOLDER .. '/policy.hcl')
  local buffer = vim.api.nvim_get_current_buf()
  wait_for('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)
  expect('diagnostics', codes(buffer), { 'HCL3201' })

  local hover = ask('textDocument/hover', at('user.nme'))
  expect('hover', hover and hover.contents.value:match('variable user: [^\n]*'),
    'variable user: object({ name = string, roles = list(string) })')

  local items = ask('textDocument/completion', at('user.nme', 5))
  local labels = {}
  for _, item in ipairs(items and items.items or {}) do table.insert(labels, item.label) end
  expect('completion', labels, { 'name', 'roles' })

  -- The quick fix of the diagnostic.
  local params = at('nme')
  params.range = { start = params.position, ['end'] = params.position }
  local line_diagnostics = vim.lsp.diagnostic.get_line_diagnostics(buffer)
  params.context = { diagnostics = line_diagnostics }
  local actions = ask('textDocument/codeAction', params)
  expect('code action', actions and actions[1] and actions[1].title, 'Change to "name"')
  if actions and actions[1] then vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16') end
  expect('text after the action', vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1], 'allow   = user.name == "ann"')
  wait_for('no diagnostics after the action', function() return #vim.diagnostic.get(buffer) == 0 end)

  -- Typing: an edit of one line.
  vim.api.nvim_buf_set_text(buffer, 0, 10, 0, 19, { 'usr.name' })
  wait_for('diagnostics after typing', function() return #vim.diagnostic.get(buffer) > 0 end)
  expect('diagnostics after typing', codes(buffer), { 'HCL3101' })
  vim.api.nvim_buf_set_text(buffer, 0, 10, 0, 18, { 'user.name' })
  wait_for('no diagnostics after typing', function() return #vim.diagnostic.get(buffer) == 0 end)

  local definition = ask('textDocument/definition', at('user'))
  expect('definition', definition and definition.uri:match('[^/]*$'), 'variables.hcl')

  local edits = ask('textDocument/formatting', vim.lsp.util.make_formatting_params())
  vim.lsp.util.apply_text_edits(edits or {}, buffer, 'utf-16')
  expect('format', vim.api.nvim_buf_get_lines(buffer, 0, -1, false), { 'allow = user.name == "ann"', 'who   = user.name' })

  local rename = ask('textDocument/rename', vim.tbl_extend('force', at('user'), { newName = 'person' }))
  local renamed = {}
  for uri, edits in pairs(rename and rename.changes or {}) do renamed[uri:match('[^/]*$')] = #edits end
  expect('rename', renamed, { ['policy.hcl'] = 2, ['variables.hcl'] = 1, ['policy.test.hcl'] = 1 })

  -- A lens runs its test.
  vim.cmd('silent write')
  vim.cmd('edit ' .. vim.env.FOLDER .. '/policy.test.hcl')
  local lenses = ask('textDocument/codeLens', { textDocument = vim.lsp.util.make_text_document_params() })
  expect('lens', lenses and lenses[1] and lenses[1].command.title, 'Run')
  if lenses and lenses[1] then
    local result = ask('workspace/executeCommand', lenses[1].command)
    expect('test', result and result.passed, true)
  end
end

local ran, problem = pcall(test)
if not ran then table.insert(failures, tostring(problem)) end
for _, failure in ipairs(failures) do io.stderr:write('FAIL ' .. failure .. '\n') end
if #failures > 0 then vim.cmd('cquit 1') end
vim.cmd('qall!')
